/**
 * One rank of a measurement, started by mpirun.
 *
 * usage: rank.ts {mnist|usps|coil-20|coil-100} {fcae|dbc}
 *        rank.ts sum FLOATS
 * Rank 0 prints one JSON line.
 */

import type { Collective } from "../src/engine/ranks/collective.ts";
import { openRanks } from "../src/engine/ranks/open-ranks.ts";
import { medianSeconds, steppedImages, trainStep } from "./steps.ts";

/** The seconds that are spent in sums over all ranks, waiting for others included. */
function timed(collective: Collective): Collective & { readonly seconds: () => number } {
  let milliseconds = 0;
  return {
    ...collective,
    seconds: () => milliseconds / 1000,
    sum(values) {
      const start = performance.now();
      collective.sum(values);
      milliseconds += performance.now() - start;
    },
  };
}

async function stepSeconds(network: string, job: string, collective: Collective) {
  const watched = timed(collective);
  const { architecture, images, batch, steps } = steppedImages(network);
  const size = batch / collective.size;
  const own = images.subarray(0, images.length / collective.size);
  const step = await trainStep(architecture, job, size, own, {
    threads: 1,
    collective: watched,
    parts: collective.size,
  });
  let [before, inside]: [number, number[]] = [0, []];
  const seconds = await medianSeconds(steps, async () => {
    await step();
    inside.push(watched.seconds() - before);
    before = watched.seconds();
  });
  const sums = inside.sort((a, b) => a - b)[Math.floor(inside.length / 2)];
  return { imagesPerSecond: batch / seconds, seconds, sumSeconds: sums };
}

/** One of many sums: by itself it would be as long as another rank is behind. */
async function sumSeconds(floats: number, collective: Collective) {
  const values = new Float32Array(floats);
  const times = 30;
  const several = (): void => {
    for (let time = 0; time < times; time++) collective.sum(values);
  };
  several();
  const start = performance.now();
  several();
  return { seconds: (performance.now() - start) / 1000 / times };
}

const [first, second] = process.argv.slice(2);
const collective = await openRanks();
const measured =
  first === "sum" ? await sumSeconds(Number(second), collective) : await stepSeconds(first, second, collective);
collective.close();
if (collective.rank === 0) {
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(JSON.stringify({ ...measured, peakMegabytes }));
}
process.exit(0);
