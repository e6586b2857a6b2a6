/** Threads that our code starts can read TypeScript, too: with Node 20, tsx and Vitest see to the main thread only. */
import { isMainThread } from "node:worker_threads";

// Not imported where it is not needed: every test file has a process of its own, which would wait for it.
if (!isMainThread) {
  const { register } = await import("tsx/esm/api");
  register();
}
