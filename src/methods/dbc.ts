/** DBC: discriminatively boosted clustering (Algorithms 1 and 2). */
import type { Balance } from "../clustering/targets.ts";
import type { Dataset } from "../dataset.ts";
import { InputError } from "../errors.ts";
import type { Fitted } from "../model/fitted.ts";
import { type Architecture, withoutShrinking } from "../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { featureSize } from "../network/shapes.ts";
import type { TrainedValues } from "../network/trained.ts";
import { shrunkDataset } from "../shrunk-dataset.ts";
import { Course } from "./course.ts";
import { type Preset, withPreset } from "./dbc-presets.ts";
import { type FcaeOptions, fcaeSettings, networkOf, trainFcae, trialSuffix } from "./fcae.ts";
import {
  clusterFeatures,
  type FeatureClusters,
  featuresOf,
  fittedWith,
  initialClusters,
  withCentres,
} from "./feature-clusters.ts";
import { graphClusters, looseness } from "./graph-clusters.ts";
import type { Method } from "./method.ts";
import { expectSelfTraining, type Lessons, selfTrain } from "./self-training.ts";
import { expectCount } from "./settings.ts";
import type { TrainingContext } from "./training.ts";

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
  /** Auto-encoders that are trained, of which the one counts whose clusters run into each other least. Default: 1. */
  readonly trials?: number;
  /** "k-means" on the features, or "graph": groups of their neighbourhood graph. Default: "k-means". */
  readonly centres?: CentreSource;
  /** Epochs before stage II in which the encoder learns four times as many, finer groups. Default: 0. */
  readonly fineEpochs?: number;
  /** T, the most epochs of stage II. Default: 50. */
  readonly epochs?: number;
  /** The first epochs of stage II, and those after each repair, learn the clusters that centres came from. Default: 0. */
  readonly warmEpochs?: number;
  /** How often, evenly over stage II, clusters are found anew from the features as they are by then. Default: 0. */
  readonly repairs?: number;
  /** From 0 to 1: how much those clusters count beside the network's own scores in the other epochs. Default: 0. */
  readonly trust?: number;
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
export function dbcSettings(dataset: Dataset, given: DbcOptions) {
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
    fineEpochs = 0,
  } = options;
  const { batches = Math.ceil(dataset.count / fcae.batch) } = options;
  const optimizer = createOptimizer(stageTwoOptimizer(options)).settings;
  const ours = { trials, fineEpochs, centres, warmEpochs, repairs, trust, finalRate };
  const settings = { preset, ...fcae, alpha, v, balance, epochs, batches, tolerance, optimizer, ...ours };
  if (!centreSources.includes(centres))
    throw new InputError(`there are no centres "${centres}"; use one of: ${centreSources.join(", ")}`);
  expectCount("trials", trials, 1);
  expectCount("fineEpochs", fineEpochs, 0);
  expectCount("warmEpochs", warmEpochs, 0);
  expectCount("repairs", repairs, 0);
  expectSelfTraining(settings);
  return settings;
}

type DbcSettings = ReturnType<typeof dbcSettings>;

const stageTwoOptimizer = ({ optimizer = { kind: "sgd" } }: DbcOptions): OptimizerOptions => optimizer;

export async function fitDbc(dataset: Dataset, given: DbcOptions): Promise<Fitted> {
  const options = withPreset(dataset, given);
  const settings = dbcSettings(dataset, options);
  const course = new Course(options.checkpoints);
  const architecture = networkOf(dataset, options);
  // Shrunk once for training, and by the network itself for whoever has a whole image.
  const network = withoutShrinking(architecture);
  const context = { dataset: shrunkDataset(dataset, architecture.shrink ?? 1), course, options };
  const find = { graph: graphClusters, "k-means": clusterFeatures }[settings.centres];
  const begun = await beginning({ ...options, architecture: network }, settings, find, context);
  const { encoder, first } = await fineStart(begun, { ...options, architecture: network }, settings, context);
  const { converged, ...trained } = await selfTrain(
    {
      architecture: network,
      trained: withCentres(network, encoder, first.centres),
      settings,
      optimizer: stageTwoOptimizer(options),
      ...lessonsOf(settings, first.labels, (features) => find(features, featureSize(network), options)),
    },
    context,
  );
  const { v } = settings;
  const outcome = { method: "dbc", settings, architecture, v, autoEncoder: begun.encoder, history: course.history };
  return fittedWith(dataset, { ...outcome, trained, converged }, options);
}

interface Beginning {
  readonly encoder: TrainedValues;
  readonly first: FeatureClusters;
}

/** An auto-encoder and the clusters of its features; of several trials, those that run into each other least. */
async function beginning(
  options: DbcOptions & { readonly architecture: Architecture },
  { seed, trials }: DbcSettings,
  find: typeof clusterFeatures,
  context: TrainingContext,
): Promise<Beginning> {
  const { architecture } = options;
  let best: (Beginning & { readonly looseness: number }) | undefined;
  for (let number = 0; number < trials; number++) {
    const trial = { number, of: trials };
    const fcae = await trainFcae({ ...options, seed: trialSeed(seed, number) }, context, trial);
    const first = await initialClusters(architecture, fcae, context, find, `centres${trialSuffix(trial)}`);
    if (trials === 1) return { encoder: fcae, first };
    const features = await featuresOf(context.dataset, architecture, fcae, options);
    const loose = await looseness(features, featureSize(architecture), first.labels, options);
    if (best === undefined || loose < best.looseness) best = { encoder: fcae, first, looseness: loose };
  }
  if (best === undefined) throw new Error("there is at least one trial");
  return best;
}

/** So many fine groups a cluster: enough that most groups are of one cluster, whatever the auto-encoder mixed up. */
const fineness = 4;

/**
 * The encoder after it has learned to tell fine groups apart, and the clusters of its features then: what makes groups
 * different also makes clusters different, and is not what an auto-encoder looks at.
 */
async function fineStart(
  begun: Beginning,
  options: DbcOptions & { readonly architecture: Architecture },
  settings: DbcSettings,
  { dataset, course, options: { evaluate, snapshots, ...quiet } }: TrainingContext,
): Promise<Beginning> {
  const { fineEpochs } = settings;
  const k = Math.min(fineness * settings.k, Math.floor(dataset.count / 2));
  if (fineEpochs === 0 || k <= settings.k) return begun;
  const { architecture } = options;
  const context = { dataset, course, options: { ...quiet, k } };
  const groups = await initialClusters(architecture, begun.encoder, context, graphClusters, "fine groups");
  const encoder = await course.phase("encoder of fine groups", async () => {
    const { parameters, statistics } = await selfTrain(
      {
        architecture,
        trained: withCentres(architecture, begun.encoder, groups.centres),
        settings: { ...settings, k, epochs: fineEpochs, tolerance: 0 },
        optimizer: stageTwoOptimizer(options),
        lessons: wholeLesson(groups.labels),
        stage: "fine groups",
      },
      context,
    );
    return { parameters, statistics };
  });
  const whole = { dataset, course, options: { ...quiet, k: settings.k } };
  const { parameters, statistics } = encoder;
  const first = await initialClusters(architecture, { parameters, statistics }, whole, graphClusters, "clusters");
  return { encoder: { parameters, statistics }, first };
}

/** One that is taught from the first epoch to the last. */
const wholeLesson = (first: Int32Array): Lessons => ({
  first,
  begin: () => false,
  teach: () => true,
  mayEnd: () => false,
  find: () => Promise.reject(new Error("there is one lesson only")),
});

/** Another for each trial, that no other run is likely to have. */
const trialSeed = (seed: number, trial: number): number => seed + trial * 1_000_003;

/** None where nothing is asked for that the paper does not have. */
function lessonsOf(
  { epochs, warmEpochs, repairs, trust }: DbcSettings,
  first: Int32Array,
  find: Lessons["find"],
): { readonly lessons?: Lessons } {
  if (warmEpochs + repairs + trust === 0) return {};
  const round = Math.ceil(epochs / (repairs + 1));
  return {
    lessons: {
      first,
      begin: (epoch) => epoch > 1 && (epoch - 1) % round === 0,
      teach: (epoch) => (epoch - 1) % round < warmEpochs,
      mayEnd: (epoch) => epoch > repairs * round + warmEpochs,
      find,
    },
  };
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
