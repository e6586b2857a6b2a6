/** DBC: discriminatively boosted clustering (Algorithms 1 and 2). */
import type { Balance } from "../clustering/targets.ts";
import type { Images } from "../dataset.ts";
import { InputError } from "../errors.ts";
import type { Fitted } from "../model/fitted.ts";
import { withoutShrinking } from "../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { featureSize } from "../network/shapes.ts";
import { shrunkDataset } from "../shrunk-dataset.ts";
import { Course } from "./course.ts";
import { type Preset, withPreset } from "./dbc-presets.ts";
import { type FcaeOptions, fcaeSettings, networkOf } from "./fcae.ts";
import { clusterFeatures, fittedWith, withCentres } from "./feature-clusters.ts";
import { graphClusters } from "./graph-clusters.ts";
import { lessonSchedule } from "./lesson-schedule.ts";
import type { Method } from "./method.ts";
import { expectSelfTraining, type Lessons, selfTrain } from "./self-training.ts";
import { expectCount } from "./settings.ts";
import { findStart } from "./start.ts";

/** Where the clusters come from that stage II begins with. */
export const centreSources = ["graph", "k-means"] as const;
export type CentreSource = (typeof centreSources)[number];

/** Defaults are those of preset "paper"; `dbc-presets.ts` has those of "boosted". */
export interface DbcOptions extends FcaeOptions {
  /** Default: "boosted". */
  readonly preset?: Preset;
  /** The boosting factor α > 1. Default: 2. */
  readonly alpha?: number;
  /** The degree of freedom v of the t-distribution. Default: 1. */
  readonly v?: number;
  /** n_j: "boosted" Σ s^α as Algorithm 2, "scores" Σ s as DEC, or "none". Default: "boosted". */
  readonly balance?: Balance;
  /** Starts of stage II, of which the one counts whose clusters run into each other least. Default: 1. */
  readonly trials?: number;
  /** Auto-encoders of each start, with fine groups of each; clusters are found in the features of all. Default: 1. */
  readonly autoEncoders?: number;
  /** "k-means" on the features, or "graph": groups of their neighbourhood graph. Default: "k-means". */
  readonly centres?: CentreSource;
  /** Epochs before stage II in which the encoder learns four times as many, finer groups. Default: 0, none. */
  readonly fineEpochs?: number;
  /** T, the most epochs of stage II. Default: 50. */
  readonly epochs?: number;
  /** The first epochs of stage II, and those after each repair, learn the clusters that centres came from. Default: 0. */
  readonly warmEpochs?: number;
  /** How often, evenly over stage II, clusters are found anew from the features as they are by then. Default: 0. */
  readonly repairs?: number;
  /** From 0 to 1: how much those clusters count beside the network's own scores in the other epochs. Default: 0. */
  readonly trust?: number;
  /** The last epochs of stage II, so many of them, learn from images as they are. Default: 0. */
  readonly plainEpochs?: number;
  /** B, the batches of an epoch of stage II. Default: as many as the dataset has. */
  readonly batches?: number;
  /** Stop when no more than this share of the images changes its cluster. Default: 0. */
  readonly tolerance?: number;
  /** Of stage II. Default: SGD, learning rate 0.1, momentum 0.9. */
  readonly optimizer?: OptimizerOptions;
  /** The learning rate of stage II falls to this share of itself, along half a cosine. Default: 1, it does not fall. */
  readonly finalRate?: number;
}

/** The options, checked and with their defaults. */
export function dbcSettings(dataset: Images, given: DbcOptions) {
  const options = withPreset(dataset, given);
  const fcae = fcaeSettings(dataset, options);
  const { preset, alpha = 2, v = 1, balance = "boosted", epochs = 50, tolerance = 0 } = options;
  const {
    centres = "k-means",
    warmEpochs = 0,
    repairs = 0,
    trust = 0,
    finalRate = 1,
    trials = 1,
    autoEncoders = 1,
    fineEpochs = 0,
    plainEpochs = 0,
  } = options;
  const { batches = Math.ceil(dataset.count / fcae.batch) } = options;
  const optimizer = createOptimizer(stageTwoOptimizer(options)).settings;
  const several = autoEncoders === 1 ? {} : { autoEncoders };
  const plain = plainEpochs === 0 ? {} : { plainEpochs };
  const ours = { trials, ...several, fineEpochs, centres, warmEpochs, ...plain, repairs, trust, finalRate };
  const settings = { preset, ...fcae, alpha, v, balance, epochs, batches, tolerance, optimizer, ...ours };
  if (!centreSources.includes(centres))
    throw new InputError(`there are no centres "${centres}"; use one of: ${centreSources.join(", ")}`);
  expectCount("trials", trials, 1);
  expectCount("autoEncoders", autoEncoders, 1);
  expectCount("fineEpochs", fineEpochs, 0);
  expectCount("warmEpochs", warmEpochs, 0);
  expectCount("plainEpochs", plainEpochs, 0);
  expectCount("repairs", repairs, 0);
  expectSelfTraining(settings);
  return settings;
}

type DbcSettings = ReturnType<typeof dbcSettings>;

export const stageTwoOptimizer = ({ optimizer = { kind: "sgd" } }: DbcOptions): OptimizerOptions => optimizer;

export async function fitDbc(dataset: Images, given: DbcOptions): Promise<Fitted> {
  const options = withPreset(dataset, given);
  const settings = dbcSettings(dataset, options);
  const course = new Course(options.checkpoints);
  const architecture = networkOf(dataset, options);
  // Shrunk once for training, and by the network itself for whoever has a whole image.
  const network = withoutShrinking(architecture);
  const context = { dataset: shrunkDataset(dataset, architecture.shrink ?? 1), course, options };
  const find = { graph: graphClusters, "k-means": clusterFeatures }[settings.centres];
  const optimizer = stageTwoOptimizer(options);
  const start = { options: { ...options, architecture: network }, settings, optimizer, find };
  const { autoEncoder, encoder, first } = await findStart(start, context);
  const { converged, ...trained } = await selfTrain(
    {
      architecture: network,
      trained: withCentres(network, encoder, first.centres),
      settings,
      optimizer,
      ...lessonsOf(settings, first.labels, (features) => find(features, featureSize(network), options)),
    },
    context,
  );
  const { v } = settings;
  const outcome = { method: "dbc", settings, architecture, v, autoEncoder, history: course.history };
  return fittedWith(dataset, { ...outcome, trained, converged }, options);
}

/** None where nothing is asked for that the paper does not have. */
function lessonsOf(
  { epochs, warmEpochs, repairs, trust }: DbcSettings,
  first: Int32Array,
  find: Lessons["find"],
): { readonly lessons?: Lessons } {
  if (warmEpochs + repairs + trust === 0) return {};
  return { lessons: { first, find, ...lessonSchedule({ epochs, repairs, warmEpochs }) } };
}

export const dbc: Method<DbcOptions> = {
  name: "dbc",
  title: "DBC",
  summary: "learns features and centres together, from targets that boost what it is sure of",
  reference: "Li, Qiao, Zhang: Discriminatively Boosted Image Clustering with Fully Convolutional Auto-Encoders, 2018",
  goodFor: "the clearest clusters of images; the default",
  settings: dbcSettings,
  fit: fitDbc,
};
