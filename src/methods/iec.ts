/**
 * IEC: infinite ensemble clustering (Liu et al. 2016). Many partitions by k-means tell each image by the clusters it is
 * in; denoising layers in closed form, which stand for infinitely many corrupted ensembles, smooth these memberships;
 * k-means on what the layers give.
 */
import { kMeans } from "../clustering/k-means.ts";
import { stackedEmbedding } from "../clustering/marginalised-denoising.ts";
import type { Images } from "../dataset.ts";
import { InputError } from "../errors.ts";
import { matrix } from "../matrix.ts";
import type { Fitted } from "../model/fitted.ts";
import { type Ensemble, ensembleParameters, membershipCount } from "../network/ensemble.ts";
import { parameterView, totalSize } from "../network/parameters.ts";
import { featureSize } from "../network/shapes.ts";
import type { TrainedValues } from "../network/trained.ts";
import { Random } from "../random.ts";
import { Course } from "./course.ts";
import { featuresOf, fittedByKMeans } from "./feature-clusters.ts";
import type { Method, MethodOptions } from "./method.ts";
import { commonSettings, expectCount, sessionOptions } from "./settings.ts";
import type { TrainingContext } from "./training.ts";

export interface IecOptions extends MethodOptions {
  /**
   * Basic partitions; each has from k to 2k clusters, at random. Default: 100, or as many as have 3,000 clusters in all
   * if those are fewer.
   */
  readonly partitions?: number;
  /** Denoising layers. Default: 5. */
  readonly layers?: number;
  /** The probability that a membership is left out. Default: 0.2. */
  readonly corruption?: number;
}

/** Larger maps take minutes a layer. */
const mostMemberships = 3000;
/** Partitions are made from images of at most so many pixels a side: larger ones are averaged down. */
const largestSide = 32;
/** Of each basic k-means: partitions should be many and different rather than each the best. */
const iterations = 20;
/** Partitions from checkpoint to checkpoint. */
const partitionsAtOnce = 10;

/** The options, checked and with their defaults. */
export function iecSettings(dataset: Images, options: IecOptions) {
  const common = commonSettings(dataset, options);
  const affordable = Math.max(1, Math.min(100, Math.floor(mostMemberships / (1.5 * common.k))));
  const { partitions = affordable, layers = 5, corruption = 0.2 } = options;
  expectCount("partitions", partitions, 1);
  expectCount("layers", layers, 1);
  if (!(corruption > 0 && corruption < 1))
    throw new InputError(`corruption must be between 0 and 1, not ${corruption}`);
  return { ...common, partitions, layers, corruption };
}

type IecSettings = ReturnType<typeof iecSettings>;

export async function fitIec(dataset: Images, options: IecOptions): Promise<Fitted> {
  const settings = iecSettings(dataset, options);
  const context = { dataset, course: new Course(options.checkpoints), options };
  const architecture = ensembleOf(dataset, settings);
  const { centres, labels } = await basicPartitions(architecture, settings, context);
  const { embedding } = await context.course.phase("layers", async () => ({
    embedding: Float32Array.from(await embed(labels, architecture, settings, options)),
  }));
  const trained = parametersOf(architecture, centres, embedding);
  const { history } = context.course;
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
  { dataset, course, options }: TrainingContext,
): Promise<Partitions> {
  const untrained = { parameters: new Float32Array(0), statistics: new Float32Array(0) };
  const reduced: Ensemble = { ...ensemble, partitions: [] };
  const size = featureSize(reduced);
  const { partitions } = ensemble;
  const centres = new Float32Array(membershipCount(ensemble) * size);
  const labels = new Int32Array(partitions.length * dataset.count);
  const seeds = partitions.map((_, index) => new Random(seed, `partition ${index}`).uint32());
  const samples = matrix(await featuresOf(dataset, reduced, untrained, options), size, "pixels");
  for (let first = 0; first < partitions.length; first += partitionsAtOnce) {
    const group = partitions.slice(first, first + partitionsAtOnce);
    const offset = partitions.slice(0, first).reduce((a, b) => a + b, 0);
    const made = await course.phase(`partitions from ${first + 1}`, async () => {
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
        course.history.push(entry);
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
  settings: iecSettings,
  fit: fitIec,
};
