import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
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
