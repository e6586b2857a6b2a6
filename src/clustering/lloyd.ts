/** Lloyd's iterations for several starts at once. */
import { expectFloats, type Program } from "../engine/program.ts";
import { encode } from "../graph/encode.ts";
import { add, asFloat, equal } from "../graph/operators/elementwise.ts";
import { reshape } from "../graph/operators/layout.ts";
import { matmul } from "../graph/operators/product.ts";
import { constant, input } from "../graph/tensor.ts";
import { rowOf } from "../numeric/matrix.ts";
import type { BlockRunner } from "./sample-blocks.ts";

export interface Partition {
  /** [k, columns]. */
  readonly centres: Float64Array;
  /** The nearest centre of each sample. */
  readonly labels: Int32Array;
  readonly inertia: number;
  readonly iterations: number;
}

interface LloydOptions {
  readonly maxIterations: number;
  /** Stop when the squared shifts of the centres sum to no more than this. */
  readonly shift: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Above this share of changed labels the clusters' sums are computed anew, by a product in the engine; below it, moving
 * the changed samples from sum to sum is faster.
 */
const fewChanges = 0.05;

/** The state of one start. */
class Run {
  readonly k: number;
  readonly centres: Float64Array;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  labels: Int32Array;
  next: Int32Array;
  iterations = 0;

  constructor(centres: Float64Array, k: number, rows: number) {
    this.k = k;
    this.centres = centres;
    this.sums = new Float64Array(centres.length);
    this.counts = new Float64Array(k);
    this.labels = new Int32Array(rows).fill(-1);
    this.next = new Int32Array(rows);
  }
}

export async function lloyd(
  runner: BlockRunner,
  starts: readonly Float64Array[],
  { maxIterations, shift, signal }: LloydOptions,
): Promise<Partition[]> {
  const { rows, columns } = runner.samples;
  const runs = starts.map((centres) => new Run(centres, centres.length / columns, rows));
  let active = runs;
  while (active.length > 0) {
    signal?.throwIfAborted();
    await assign(runner, active);
    const changes = active.map(takeLabels);
    await updateSums(runner, active, changes);
    active = active.filter((run, index) => {
      run.iterations++;
      if (changes[index] === 0) return false;
      repairEmptyClusters(runner, run);
      return moveCentres(run, columns) > shift && run.iterations < maxIterations;
    });
  }
  // A run may have stopped after a small move of its centres.
  await assign(runner, runs);
  await updateSums(runner, runs, runs.map(takeLabels));
  const squares = sumOfSquares(runner);
  return runs.map((run) => ({ ...run, inertia: inertiaOf(run, squares, columns) }));
}

/** Writes the nearest centre of every sample into `next`, for all runs by one product. */
async function assign(runner: BlockRunner, runs: readonly Run[]): Promise<void> {
  const { columns } = runner.samples;
  const { k } = runs[0];
  const total = runs.length * k;
  const centres = new Float32Array(columns * total);
  const squares = new Float32Array(total);
  runs.forEach((run, index) => {
    for (let j = 0; j < k; j++) {
      let square = 0;
      for (let d = 0; d < columns; d++) {
        const value = run.centres[j * columns + d];
        centres[d * total + index * k + j] = -2 * value;
        square += value * value;
      }
      squares[index * k + j] = square;
    }
  });
  await runner.run(
    { use: "nearest", key: String(total), program: () => nearestProgram(runner.blockRows, columns, total) },
    () => ({ centres, squares }),
    ({ start, fresh, end }, results) => {
      const distances = expectFloats(results.distances);
      for (let i = fresh; i < end; i++) {
        let place = (i - start) * total;
        for (const run of runs) {
          let best = 0;
          let smallest = distances[place];
          for (let j = 1; j < k; j++)
            if (distances[place + j] < smallest) {
              smallest = distances[place + j];
              best = j;
            }
          run.next[i] = best;
          place += k;
        }
      }
    },
  );
}

/** ‖x − c‖² − ‖x‖² = ‖c‖² − 2 x·c, which is smallest where the distance is; centres come times −2. */
function nearestProgram(rows: number, columns: number, total: number): Program {
  const products = matmul(input("samples", [rows, columns]), input("centres", [columns, total]));
  return encode({ distances: add(products, input("squares", [total])) });
}

/** Makes the new labels current; returns how many differ. The old ones stay in `next`. */
function takeLabels(run: Run): number {
  let changed = 0;
  for (let i = 0; i < run.labels.length; i++) if (run.labels[i] !== run.next[i]) changed++;
  [run.labels, run.next] = [run.next, run.labels];
  return changed;
}

async function updateSums(runner: BlockRunner, runs: readonly Run[], changes: readonly number[]): Promise<void> {
  const limit = fewChanges * runner.samples.rows;
  runs.forEach((run, index) => {
    if (changes[index] <= limit) moveChangedSamples(runner, run);
  });
  await sumAnew(
    runner,
    runs.filter((_, index) => changes[index] > limit),
  );
}

function moveChangedSamples({ samples }: BlockRunner, run: Run): void {
  for (let i = 0; i < run.labels.length; i++)
    if (run.labels[i] !== run.next[i]) moveSample(run, rowOf(samples, i), run.next[i], run.labels[i]);
}

function moveSample({ sums, counts }: Run, sample: Float32Array, from: number, to: number): void {
  const [source, target] = [from * sample.length, to * sample.length];
  for (let d = 0; d < sample.length; d++) {
    sums[source + d] -= sample[d];
    sums[target + d] += sample[d];
  }
  counts[from]--;
  counts[to]++;
}

/** The sum of each cluster's samples: single precision within a block, double over the blocks. */
async function sumAnew(runner: BlockRunner, runs: readonly Run[]): Promise<void> {
  if (runs.length === 0) return;
  const { columns } = runner.samples;
  const { k } = runs[0];
  for (const run of runs) {
    run.sums.fill(0);
    run.counts.fill(0);
    for (const label of run.labels) run.counts[label]++;
  }
  const labels = new Int32Array(runs.length * runner.blockRows);
  await runner.run(
    {
      use: "sums",
      key: String(runs.length),
      program: () => sumProgram(runner.blockRows, columns, runs.length, k),
    },
    ({ start, fresh, end }) => {
      runs.forEach((run, index) => {
        const block = labels.subarray(index * runner.blockRows, (index + 1) * runner.blockRows);
        block.set(run.labels.subarray(start, end));
        // Rows of the previous block have been counted there.
        block.fill(-1, 0, fresh - start);
      });
      return { labels };
    },
    (_, results) => {
      const sums = expectFloats(results.sums);
      runs.forEach((run, index) => {
        const offset = index * run.sums.length;
        for (let i = 0; i < run.sums.length; i++) run.sums[i] += sums[offset + i];
      });
    },
  );
}

/** The sums as the product of one-hot labels [runs·k, rows] with the samples. */
function sumProgram(rows: number, columns: number, runs: number, k: number): Program {
  const labels = reshape(input("labels", [runs, rows], "int32"), [runs, 1, rows]);
  const clusters = constant(
    Int32Array.from({ length: k }, (_, j) => j),
    [k, 1],
    "int32",
  );
  const oneHot = reshape(asFloat(equal(labels, clusters)), [runs * k, rows]);
  return encode({ sums: matmul(oneHot, input("samples", [rows, columns])) });
}

/** An empty cluster takes the sample that lies farthest from its centre, out of a cluster that has others. */
function repairEmptyClusters({ samples }: BlockRunner, run: Run): void {
  const empty = [...run.counts.keys()].filter((j) => run.counts[j] === 0);
  if (empty.length === 0) return;
  const distances = Float64Array.from(run.labels, (label, row) => {
    const offset = label * samples.columns;
    return rowOf(samples, row).reduce((sum, value, d) => sum + (value - run.centres[offset + d]) ** 2, 0);
  });
  const farthest = Array.from(run.labels.keys()).sort((a, b) => distances[b] - distances[a]);
  let next = 0;
  for (const cluster of empty) {
    while (run.counts[run.labels[farthest[next]]] < 2) next++;
    const row = farthest[next++];
    moveSample(run, rowOf(samples, row), run.labels[row], cluster);
    run.labels[row] = cluster;
  }
}

/** Moves each centre to the mean of its samples; returns the sum of the squared shifts. */
function moveCentres({ centres, sums, counts }: Run, columns: number): number {
  let shift = 0;
  for (let i = 0; i < centres.length; i++) {
    const mean = sums[i] / counts[Math.floor(i / columns)];
    shift += (mean - centres[i]) ** 2;
    centres[i] = mean;
  }
  return shift;
}

function sumOfSquares({ samples }: BlockRunner): number {
  let total = 0;
  for (const value of samples.values) total += value * value;
  return total;
}

/** Σ‖x − c‖² = Σ‖x‖² + Σ_j (n_j ‖c_j‖² − 2 c_j · Σ_{x in j} x). */
function inertiaOf({ centres, sums, counts }: Run, squares: number, columns: number): number {
  let total = squares;
  for (let i = 0; i < centres.length; i++)
    total += centres[i] * (counts[Math.floor(i / columns)] * centres[i] - 2 * sums[i]);
  return total;
}
