/** The parts of a cluster by its own structure: k-means of the features of its images, the best of several starts. */
import { setImmediate as pause } from "node:timers/promises";
import { clusterMeans } from "../../clustering/graph-clusters.ts";
import { simpleKMeans } from "../../clustering/simple-k-means.ts";
import { type Matrix, rowOf, selectRows } from "../../numeric/matrix.ts";
import { Random } from "../../numeric/random.ts";

/** Parts are found among so many of the samples; the others go to the nearest. */
const mostSamples = 4000;
const starts = 4;

/**
 * The part of each sample, from 0. The same samples have the same parts. Parts may be fewer than asked for. Others are
 * answered between the starts.
 */
export async function partsOf(samples: Matrix, parts: number): Promise<Int32Array> {
  const chosen = Math.min(samples.rows, mostSamples);
  const some = selectRows(
    samples,
    Array.from({ length: chosen }, (_, place) => Math.floor((place * samples.rows) / chosen)),
  );
  let best: { readonly means: Matrix; readonly spread: number } | undefined;
  for (let start = 0; start < starts; start++) {
    await pause();
    const means = meansOf(some, simpleKMeans(some, { k: parts, random: new Random(start, "split") }), parts);
    const spread = assign(some, means).spread;
    if (best === undefined || spread < best.spread) best = { means, spread };
  }
  await pause();
  return best === undefined ? new Int32Array(samples.rows) : assign(samples, best.means).parts;
}

/** Without those that have no samples. */
function meansOf(samples: Matrix, labels: Int32Array, k: number): Matrix {
  const used = [...new Set(labels)];
  return selectRows(clusterMeans(samples, labels, k), used);
}

/** The nearest mean of each sample, and the sum of squared distances to it. */
function assign(samples: Matrix, means: Matrix): { readonly parts: Int32Array; readonly spread: number } {
  const parts = new Int32Array(samples.rows);
  let spread = 0;
  for (let row = 0; row < samples.rows; row++) {
    const sample = rowOf(samples, row);
    let least = Number.POSITIVE_INFINITY;
    for (let part = 0; part < means.rows; part++) {
      const distance = squaredDistance(sample, rowOf(means, part));
      if (distance < least) [parts[row], least] = [part, distance];
    }
    spread += least;
  }
  return { parts, spread };
}

function squaredDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += (a[d] - b[d]) ** 2;
  return sum;
}
