import { defineConfig } from "vitest/config";

/** Tests that replace something of the process or of a module, or look at what is left open: each in its own process. */
const isolated = [
  "test/**/*.test.ts",
  "src/{backbones,cli,studio}/**/*.test.ts",
  "src/files/npm-package.test.ts",
  "src/methods/conformance.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "isolated", include: isolated } },
      // What they import is loaded once for all of them: a third of their time.
      { extends: true, test: { name: "shared", include: ["src/**/*.test.ts"], exclude: isolated, isolate: false } },
    ],
    globalSetup: ["test/compile.ts"],
    setupFiles: ["test/one-thread.mjs", "test/onnx-checker.ts"],
    execArgv: ["--import", "./test/typescript-threads.mjs"],
    restoreMocks: false,
    // One less is the default, which leaves a core idle; most tests compute with one thread.
    maxWorkers: "100%",
    // A limit is for a hang: on a busy machine anything may take ten times as long.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
