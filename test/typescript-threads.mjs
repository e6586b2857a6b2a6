/** Threads that our code starts can read TypeScript, too: with Node 20, tsx and Vitest see to the main thread only. */
import { isMainThread } from "node:worker_threads";
import { register } from "tsx/esm/api";

if (!isMainThread) register();
