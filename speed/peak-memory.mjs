/** Imported before a program: writes the most memory that its process had, in MiB, to the file PEAK_MEMORY_FILE. */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.PEAK_MEMORY_FILE;
if (isMainThread && file !== undefined)
  process.on("exit", () => writeFileSync(file, String(process.resourceUsage().maxRSS / 1024)));
