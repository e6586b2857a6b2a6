/** Lloyd's iterations for several starts at once, on the samples of one rank or of several. */
import { expectFloats, type Program } from "../engine/program.ts";
import { type Collective, joined } from "../engine/ranks/collective.ts";
import { encode } from "../graph/encode.ts";
import { add, asFloat, equal } from "../graph/operators/elementwise.ts";
import { reshape } from "../graph/operators/layout.ts";
import { matmul } from "../graph/operators/product.ts";
import { constant, input } from "../graph/tensor.ts";
import { rowOf } from "../numeric/matrix.ts";
import type { BlockRunner } from "./sample-blocks.ts";
import { type SharedSamples, sharedSum } from "./shared-samples.ts";

export interface Partition {
  /** [k, columns]. */
  readonly centres: Float64Array;
  /** The nearest centre of each of this rank's samples. */
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
  /** Of this rank's samples: of each cluster the sum [k, columns], then how many there are [k]. */
  readonly own: Float64Array;
  readonly ownSums: Float64Array;
  readonly ownCounts: Float64Array;
  /** The same of all ranks. */
  readonly all: Float64Array;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  labels: Int32Array;
  next: Int32Array;
  iterations = 0;

  constructor(centres: Float64Array, k: number, rows: number) {
    this.k = k;
    this.centres = centres;
    this.own = new Float64Array(centres.length + k);
    this.ownSums = this.own.subarray(0, centres.length);
    this.ownCounts = this.own.subarray(centres.length);
    this.all = new Float64Array(centres.length + k);
    this.sums = this.all.subarray(0, centres.length);
    this.counts = this.all.subarray(centres.length);
    this.labels = new Int32Array(rows).fill(-1);
    this.next = new Int32Array(rows);
  }
}

export async function lloyd(
  runner: BlockRunner,
  samples: SharedSamples,
  starts: readonly Float64Array[],
  { maxIterations, shift, signal }: LloydOptions,
): Promise<Partition[]> {
  const { rows, columns } = runner.samples;
  const runs = starts.map((centres) => new Run(centres, centres.length / columns, rows));
  let active = runs;
  while (active.length > 0) {
    signal?.throwIfAborted();
    await assign(runner, active);
    const changes = await takeClusters(runner, samples, active);
    active = active.filter((run, index) => {
      run.iterations++;
      if (changes[index] === 0) return false;
      repairEmptyClusters(samples, run);
      return moveCentres(run, columns) > shift && run.iterations < maxIterations;
    });
  }
  // A run may have stopped after a small move of its centres.
  await assign(runner, runs);
  await takeClusters(runner, samples, runs);
  const squares = sharedSum(sumOfSquares(runner), samples);
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

/** Makes the new labels current, with sums and counts; returns how many labels of all ranks differ, run by run. */
async function takeClusters(
  runner: BlockRunner,
  { rows, collective }: SharedSamples,
  runs: readonly Run[],
): Promise<Float64Array> {
  const changes = Float64Array.from(runs, takeLabels);
  collective.sum(changes);
  await updateSums(runner, runs, { changes, limit: fewChanges * rows });
  addUp(runs, collective);
  return changes;
}

/** Of several runs at once: ranks that are far apart wait for each call. */
function addUp(runs: readonly Run[], collective: Collective): void {
  const [
    {
      own: { length },
    },
  ] = runs;
  const together = new Float64Array(runs.length * length);
  runs.forEach((run, index) => {
    together.set(run.own, index * length);
  });
  collective.sum(together);
  runs.forEach((run, index) => {
    run.all.set(together.subarray(index * length, (index + 1) * length));
  });
}

/** Makes the new labels current; returns how many differ. The old ones stay in `next`. */
function takeLabels(run: Run): number {
  let changed = 0;
  for (let i = 0; i < run.labels.length; i++) if (run.labels[i] !== run.next[i]) changed++;
  [run.labels, run.next] = [run.next, run.labels];
  return changed;
}

async function updateSums(
  runner: BlockRunner,
  runs: readonly Run[],
  { changes, limit }: { readonly changes: Float64Array; readonly limit: number },
): Promise<void> {
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

function moveSample({ ownSums: sums, ownCounts: counts }: Run, sample: Float32Array, from: number, to: number): void {
  const [source, target] = [from * sample.length, to * sample.length];
  for (let d = 0; d < sample.length; d++) {
    sums[source + d] -= sample[d];
    sums[target + d] += sample[d];
  }
  counts[from]--;
  counts[to]++;
}

/** The sum of each cluster's samples of this rank: single precision within a block, double over the blocks. */
async function sumAnew(runner: BlockRunner, runs: readonly Run[]): Promise<void> {
  if (runs.length === 0) return;
  const { columns } = runner.samples;
  const { k } = runs[0];
  for (const run of runs) {
    run.own.fill(0);
    for (const label of run.labels) run.ownCounts[label]++;
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
        const offset = index * run.ownSums.length;
        for (let i = 0; i < run.ownSums.length; i++) run.ownSums[i] += sums[offset + i];
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
function repairEmptyClusters({ own, first, collective }: SharedSamples, run: Run): void {
  const counts = run.counts.slice();
  const empty = [...counts.keys()].filter((j) => counts[j] === 0);
  if (empty.length === 0) return;
  const ownDistances = Float64Array.from(run.labels, (label, row) => {
    const offset = label * own.columns;
    return rowOf(own, row).reduce((sum, value, d) => sum + (value - run.centres[offset + d]) ** 2, 0);
  });
  const [distances, labels] = [joined(ownDistances, collective), joined(run.labels, collective)];
  const farthest = Array.from(labels.keys()).sort((a, b) => distances[b] - distances[a]);
  let next = 0;
  for (const cluster of empty) {
    while (counts[labels[farthest[next]]] < 2) next++;
    const number = farthest[next++];
    counts[labels[number]]--;
    counts[cluster]++;
    const row = number - first;
    if (row < 0 || row >= own.rows) continue;
    moveSample(run, rowOf(own, row), run.labels[row], cluster);
    run.labels[row] = cluster;
  }
  addUp([run], collective);
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
