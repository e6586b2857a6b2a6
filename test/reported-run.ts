/** Runs with made-up numbers and everything that a report can show; nothing is trained. */
import type { Dataset } from "../src/images/dataset.ts";
import { deriveArchitecture } from "../src/network/architecture.ts";
import { autoEncoderParameters, autoEncoderStatistics, encoderStatistics } from "../src/network/layers.ts";
import { totalSize } from "../src/network/parameters.ts";
import { clusteringParameters } from "../src/network/programs.ts";
import { featureSize } from "../src/network/shapes.ts";
import type { Matrix } from "../src/numeric/matrix.ts";
import { Random } from "../src/numeric/random.ts";
import type { ReportedRun } from "../src/report/subject.ts";
import type { Fitted, HistoryEntry } from "../src/runs/fitted.ts";
import { loadRun, readAssignments, saveRun } from "../src/runs/run-folder.ts";
import { runSnapshots } from "../src/runs/snapshots.ts";

export interface MadeUpRun {
  readonly k: number;
  /** No training: no history, no snapshots, no auto-encoder. Default: false. */
  readonly bare?: boolean;
}

/** A run that is saved in `folder` and loaded again. */
export function madeUpRun(folder: string, dataset: Dataset, options: MadeUpRun): ReportedRun {
  const fitted = madeUpFit(dataset, options);
  saveRun(folder, fitted, dataset, { quality: { silhouette: 0.4 }, seconds: { reading: 1, clustering: 64 } });
  if (!options.bare)
    for (const epoch of [0, 1, 2, 3]) runSnapshots(folder).record(epoch, epoch % 2 === 0 ? fitted : noFeatures(fitted));
  return { ...loadRun(folder), assignments: readAssignments(folder) };
}

const noFeatures = (fitted: Fitted): Fitted => ({ ...fitted, features: new Float32Array(0) });

/** The first two numbers of each feature, in place of t-SNE, which takes long. */
export const firstTwo = async ({ rows, columns, values }: Matrix): Promise<Float32Array> =>
  Float32Array.from({ length: 2 * rows }, (_, index) => values[Math.floor(index / 2) * columns + (index % 2)]);

/** Most images are in the cluster of their label. */
function madeUpFit(dataset: Dataset, { k, bare = false }: MadeUpRun): Fitted {
  const random = new Random(0, "made-up run");
  const architecture = deriveArchitecture(dataset.image);
  const uniform = (length: number): Float32Array => Float32Array.from({ length }, () => random.uniform() - 0.5);
  const positive = (length: number): Float32Array => uniform(length).map((value) => value + 1);
  const assignments = Int32Array.from({ length: dataset.count }, (_, image) =>
    image % 9 === 8 ? random.integer(k) : (dataset.labels?.values[image] ?? image) % k,
  );
  const d = featureSize(architecture);
  const features = uniform(dataset.count * d);
  assignments.forEach((cluster, image) => {
    features[image * d] += 3 * Math.cos((2 * Math.PI * cluster) / k);
    features[image * d + 1] += 3 * Math.sin((2 * Math.PI * cluster) / k);
  });
  return {
    method: bare ? "kms" : "dbc",
    settings: { k, seed: 0, ...(bare ? {} : { alpha: 2, optimizer: { kind: "sgd", learningRate: 0.1 } }) },
    architecture,
    k,
    v: 1,
    parameters: uniform(totalSize(clusteringParameters(architecture, k))),
    statistics: positive(totalSize(encoderStatistics(architecture))),
    ...(bare
      ? {}
      : {
          autoEncoder: {
            parameters: uniform(totalSize(autoEncoderParameters(architecture))),
            statistics: positive(totalSize(autoEncoderStatistics(architecture))),
          },
        }),
    assignments,
    scores: madeUpScores(assignments, k, random),
    features,
    history: bare ? [] : madeUpHistory,
    converged: bare,
  };
}

/** From 0.5 to 1 for an image's own cluster, the rest for the others. */
function madeUpScores(assignments: Int32Array, k: number, random: Random): Float32Array {
  const scores = new Float32Array(assignments.length * k);
  assignments.forEach((cluster, image) => {
    const own = k === 1 ? 1 : 0.5 + 0.5 * random.uniform();
    scores.fill((1 - own) / Math.max(1, k - 1), image * k, (image + 1) * k);
    scores[image * k + cluster] = own;
  });
  return scores;
}

const madeUpHistory: readonly HistoryEntry[] = [
  ...[3, 2, 1.5].map((loss, index) => ({ stage: "auto-encoder" as const, epoch: index + 1, loss })),
  ...[0.1, 0.2, 0.25, 0.24].map((loss, index) => ({
    stage: "clustering" as const,
    epoch: index + 1,
    loss,
    ...(index === 0 ? {} : { changed: 0.1 / index }),
    metrics: { acc: 0.6 + index / 20, nmi: 0.5 + index / 20 },
  })),
];
