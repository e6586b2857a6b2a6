import { defineConfig } from "vite";

export default defineConfig({
  // The page is asked for by whatever address the server has.
  base: "./",
  build: {
    outDir: "../../../dist/studio/page",
    emptyOutDir: true,
    // The content security policy forbids what is inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
