/**
 * IEC: infinite ensemble clustering (Liu et al. 2016). Many partitions by k-means tell each image by the clusters it is
 * in; denoising layers in closed form, which stand for infinitely many corrupted ensembles, smooth these memberships;
 * k-means on what the layers give.
 */
import { kMeans } from "../../clustering/k-means.ts";
import { sessionOptions } from "../../engine/session.ts";
import type { Images } from "../../images/dataset.ts";
import { type Ensemble, ensembleParameters, membershipCount } from "../../network/ensemble.ts";
import { parameterView, totalSize } from "../../network/parameters.ts";
import { featureSize } from "../../network/shapes.ts";
import { type TrainedValues, untrained } from "../../network/trained.ts";
import { Random } from "../../numeric/random.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { Method, MethodOptions } from "../method.ts";
import type { Known, OptionsOf, OptionTable } from "../options.ts";
import { commonOptions, resolved, settingsFor } from "../training/common-options.ts";
import { featuresOf } from "../training/features.ts";
import { fittedByKMeans } from "../training/outcome.ts";
import { expectOneProcess } from "../training/parts.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import type { TrainingContext } from "../training/training-loop.ts";
import { stackedEmbedding } from "./marginalised-denoising.ts";

/** Larger maps take minutes a layer. */
const mostMemberships = 3000;
/** Partitions are made from images of at most so many pixels a side: larger ones are averaged down. */
const largestSide = 32;
/** Of each basic k-means: partitions should be many and different rather than each the best. */
const iterations = 20;
const partitionsPerCheckpoint = 10;

export const iecOptions = {
  partitions: {
    kind: "count",
    least: 1,
    help: "Basic partitions, each of k to 2k clusters at random.",
    group: "run",
    default: {
      words: "100, or as many as have 3,000 clusters in all if those are fewer",
      value: ({ number }: Known) => Math.max(1, Math.min(100, Math.floor(mostMemberships / (1.5 * number("k"))))),
    },
  },
  layers: { kind: "count", least: 1, help: "Denoising layers.", group: "run", default: 5 },
  corruption: {
    kind: "number",
    over: 0,
    under: 1,
    help: "Probability that a membership is left out, to be restored from the others.",
    group: "run",
    default: 0.2,
  },
  ...commonOptions,
} as const satisfies OptionTable;

export interface IecOptions extends MethodOptions, OptionsOf<typeof iecOptions> {}

/** The options, checked and with their defaults. */
export function iecSettings(dataset: Images, options: IecOptions) {
  expectOneProcess("iec", "its hundred partitions need the pixels of all images", options);
  return settingsFor(iecOptions, dataset, options);
}

type IecSettings = ReturnType<typeof iecSettings>;

export async function fitIec(dataset: Images, options: IecOptions): Promise<Fitted> {
  const settings = iecSettings(dataset, options);
  const context = {
    dataset,
    run: new ResumableRun(options.checkpoints, options.collective),
    options: resolved(options, settings),
  };
  announce(options, [{ stage: "partitions", epochs: settings.partitions, batches: 1, batch: dataset.count }]);
  const architecture = ensembleOf(dataset, settings);
  const { centres, labels } = await basicPartitions(architecture, settings, context);
  const { embedding } = await context.run.once("layers", async () => ({
    embedding: Float32Array.from(await embed(labels, architecture, settings, options)),
  }));
  const trained = parametersOf(architecture, centres, embedding);
  const { history } = context.run;
  return fittedByKMeans(dataset, { method: "iec", settings, architecture, trained, history }, options);
}

function ensembleOf({ image, count }: Images, { k, seed, partitions }: IecSettings): Ensemble {
  const random = new Random(seed, "partition sizes");
  return {
    name: `ensemble-${partitions}`,
    image,
    reduction: Math.ceil(Math.max(image.height, image.width) / largestSide),
    partitions: Array.from({ length: partitions }, () => Math.min(count, k + random.integer(k + 1))),
  };
}

interface Partitions {
  /** Of all partitions, one after another. */
  readonly centres: Float32Array;
  /** Partition by partition, [images] each: the number of the cluster among those of all partitions. */
  readonly labels: Int32Array;
}

async function basicPartitions(
  ensemble: Ensemble,
  { seed }: IecSettings,
  { dataset, run, options }: TrainingContext,
): Promise<Partitions> {
  const reduced: Ensemble = { ...ensemble, partitions: [] };
  const size = featureSize(reduced);
  const { partitions } = ensemble;
  const centres = new Float32Array(membershipCount(ensemble) * size);
  const labels = new Int32Array(partitions.length * dataset.count);
  const seeds = partitions.map((_, index) => new Random(seed, `partition ${index}`).uint32());
  const samples = await featuresOf(dataset, reduced, untrained, options);
  for (let first = 0; first < partitions.length; first += partitionsPerCheckpoint) {
    const group = partitions.slice(first, first + partitionsPerCheckpoint);
    const offset = partitions.slice(0, first).reduce((a, b) => a + b, 0);
    const made = await run.once(`partitions from ${first + 1}`, async () => {
      const groupCentres = new Float32Array(group.reduce((a, b) => a + b, 0) * size);
      const groupLabels = new Float32Array(group.length * dataset.count);
      let before = 0;
      for (const [index, k] of group.entries()) {
        const result = await kMeans(samples, {
          k,
          seed: seeds[first + index],
          restarts: 1,
          maxIterations: iterations,
          ...sessionOptions(options),
          ...(options.signal === undefined ? {} : { signal: options.signal }),
        });
        groupCentres.set(result.centres, before * size);
        groupLabels.set(
          result.labels.map((label) => offset + before + label),
          index * dataset.count,
        );
        before += k;
        const entry = { stage: "partitions", epoch: first + index + 1, loss: result.inertia / dataset.count } as const;
        run.history.push(entry);
        options.onProgress?.({ kind: "epoch", ...entry, epochs: partitions.length });
      }
      return { centres: groupCentres, labels: groupLabels };
    });
    centres.set(made.centres, offset * size);
    labels.set(made.labels, first * dataset.count);
  }
  return { centres, labels };
}

/** B holds a 1 for each cluster that an image is in; BᵀB counts the images that are in two clusters at once. */
export function coOccurrences(labels: Int32Array, partitions: number, d: number): Float64Array {
  const images = labels.length / partitions;
  const counts = new Float64Array(d * d);
  for (let p = 0; p < partitions; p++)
    for (let other = 0; other < partitions; other++)
      for (let image = 0; image < images; image++)
        counts[labels[p * images + image] * d + labels[other * images + image]]++;
  return counts;
}

async function embed(
  labels: Int32Array,
  ensemble: Ensemble,
  { layers, corruption }: IecSettings,
  options: MethodOptions,
): Promise<Float64Array> {
  const d = membershipCount(ensemble);
  const moments = coOccurrences(labels, ensemble.partitions.length, d);
  return stackedEmbedding(moments, d, { layers, corruption, signal: options.signal, ...sessionOptions(options) });
}

function parametersOf(ensemble: Ensemble, centres: Float32Array, embedding: Float32Array): TrainedValues {
  const specs = ensembleParameters(ensemble);
  const parameters = new Float32Array(totalSize(specs));
  parameterView(parameters, specs, "partitions.centres").set(centres);
  parameterView(parameters, specs, "embedding.weight").set(embedding);
  return { parameters, statistics: new Float32Array(0) };
}

export const iec: Method<IecOptions> = {
  name: "iec",
  title: "IEC",
  summary: "k-means on memberships in many partitions, smoothed by denoising layers in closed form",
  reference: "Liu, Shao, Li, Fu: Infinite Ensemble for Image Clustering, 2016",
  goodFor: "steadier clusters than one k-means, without training a network",
  options: iecOptions,
  settings: iecSettings,
  fit: fitIec,
};
