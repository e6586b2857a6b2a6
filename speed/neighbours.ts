/**
 * Exact nearest neighbours, those of our cells, and those of an approximate index, usearch, on principal components of
 * MNIST's digits, which are as many numbers as features are.
 *
 * usage: npm run bench:neighbours -- [--counts 100000,300000] [--columns 160] [--threads N] [--usearch FOLDER]
 * FOLDER is one where "npm install usearch" was given; it is no dependency of ours. Prints one JSON line a measurement.
 */
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { NeighbourCells } from "../src/clustering/neighbour-cells.ts";
import { type Neighbours, nearestNeighbours } from "../src/clustering/neighbours.ts";
import { principalComponents } from "../src/embedding/principal-components.ts";
import { augment } from "../src/images/augmentation.ts";
import { openDataset } from "../src/images/sources/open.ts";
import { type Matrix, matrix } from "../src/numeric/matrix.ts";
import { Random } from "../src/numeric/random.ts";

const { values: options } = parseArgs({
  options: {
    counts: { type: "string", default: "100000,300000" },
    columns: { type: "string", default: "160" },
    threads: { type: "string", default: String(availableParallelism()) },
    usearch: { type: "string" },
  },
});
const [columns, threads, neighbours] = [Number(options.columns), Number(options.threads), 15];

/** Of as many digits, each changed a little. */
async function samplesOf(count: number): Promise<Matrix> {
  const digits = await openDataset("mnist");
  const random = new Random(0, "neighbours");
  const small = new Float32Array(count * 196);
  const one = new Float32Array(784);
  for (let image = 0; image < count; image++) {
    digits.read([random.integer(digits.count)], one);
    augment(one, digits.image, "move", random);
    // Squares of four pixels: components of fewer numbers take less time, and are much the same.
    for (let place = 0; place < 196; place++) {
      const corner = 56 * Math.floor(place / 14) + 2 * (place % 14);
      small[image * 196 + place] = (one[corner] + one[corner + 1] + one[corner + 28] + one[corner + 29]) / 4;
    }
  }
  digits.close();
  const { projections } = await principalComponents(matrix(small, 196), { components: columns, threads });
  return matrix(projections, columns);
}

interface UsearchIndex {
  add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
  search(vectors: Float32Array, k: number, threads: number): { readonly keys: BigUint64Array };
}

interface Measured {
  readonly build: number;
  readonly search: number;
  /** [rows, `each`]: may have the sample itself. */
  readonly found: ArrayLike<number | bigint>;
  readonly each: number;
}

function measureIndex(
  Index: new (settings: object) => UsearchIndex,
  samples: Matrix,
  settings: Readonly<Record<string, number>>,
): Measured {
  const index = new Index({ metric: "l2sq", dimensions: columns, quantization: "f32", ...settings });
  const start = performance.now();
  const keys = BigUint64Array.from({ length: samples.rows }, (_, row) => BigInt(row));
  index.add(keys, samples.values, threads);
  const built = performance.now();
  const found = index.search(samples.values, neighbours + 1, threads).keys;
  return { build: built - start, search: performance.now() - built, found, each: neighbours + 1 };
}

async function measureCells(samples: Matrix): Promise<Measured> {
  const start = performance.now();
  const cells = await NeighbourCells.around(samples, { threads });
  const built = performance.now();
  const { indices } = await cells.ofPoints({ neighbours, threads });
  return { build: built - start, search: performance.now() - built, found: indices, each: neighbours };
}

/** Seconds, and the share of the true neighbours that is found. */
function summary({ build, search, found, each }: Measured, exact: Neighbours): object {
  let hits = 0;
  for (let row = 0; row < exact.indices.length / neighbours; row++) {
    const own = new Set(exact.indices.subarray(row * neighbours, (row + 1) * neighbours));
    for (let place = 0; place < each; place++) if (own.has(Number(found[row * each + place]))) hits++;
  }
  return {
    ...{ build: build / 1000, search: search / 1000, all: (build + search) / 1000 },
    recall: hits / exact.indices.length,
  };
}

for (const count of options.counts.split(",").map(Number)) {
  const print = (line: object): void => console.log(JSON.stringify({ count, columns, threads, ...line }));
  const samples = await samplesOf(count);
  const start = performance.now();
  const exact = await nearestNeighbours(samples, { neighbours, threads });
  print({ index: "exact product", all: (performance.now() - start) / 1000, recall: 1 });
  print({ index: "cells", ...summary(await measureCells(samples), exact) });
  if (options.usearch === undefined) continue;
  const { Index } = createRequire(join(options.usearch, "package.json"))("usearch");
  for (const expansion of [16, 64, 128]) {
    const settings = { connectivity: 16, expansion_add: expansion, expansion_search: expansion };
    print({ index: "usearch", ...settings, ...summary(measureIndex(Index, samples, settings), exact) });
  }
}
