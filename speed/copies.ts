/**
 * How long it takes to find the copies among the files of a folder: to look at each, which is kept for the next time, and
 * to compare them.
 *
 * usage: npm run bench:copies -- FOLDER
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyCount, findStacks } from "../src/images/duplicates/stacks.ts";
import { openDataset } from "../src/images/sources/open.ts";

const [folder] = process.argv.slice(2);
const cacheFolder = mkdtempSync(join(tmpdir(), "boostcluster-copies-"));
try {
  const dataset = await openDataset(folder, { cacheFolder, size: 8, channels: 1 });
  const start = performance.now();
  let looked = start;
  const stacks = await findStacks(dataset, {
    cacheFolder,
    onProgress: (step) => {
      if (step === "looking") looked = performance.now();
    },
  });
  const seconds = (from: number, to: number): number => Math.round((to - from) / 100) / 10;
  console.log(
    JSON.stringify({
      files: dataset.count,
      looking: seconds(start, looked),
      comparing: seconds(looked, performance.now()),
      copies: copyCount(stacks),
      peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    }),
  );
  dataset.close();
} finally {
  rmSync(cacheFolder, { recursive: true });
}
