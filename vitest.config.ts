import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: ["test/onnx-checker.ts"],
    restoreMocks: false,
    testTimeout: 60_000,
  },
});
