/** DBC: discriminatively boosted clustering (Algorithms 1 and 2). */
import type { Balance } from "../clustering/targets.ts";
import type { Dataset } from "../dataset.ts";
import type { Fitted } from "../model/fitted.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { Course } from "./course.ts";
import { type FcaeOptions, fcaeSettings, networkOf, trainFcae } from "./fcae.ts";
import { initialClusters, withCentres } from "./feature-clusters.ts";
import type { Method } from "./method.ts";
import { expectSelfTraining, selfTrain } from "./self-training.ts";

export interface DbcOptions extends FcaeOptions {
  /** The boosting factor α > 1. Default: 2. */
  readonly alpha?: number;
  /** The degree of freedom v of the t-distribution. Default: 1. */
  readonly v?: number;
  /** n_j: "boosted" Σ s^α as Algorithm 2, "scores" Σ s as DEC, or "none". Default: "boosted". */
  readonly balance?: Balance;
  /** T, the most epochs of stage II. Default: 50. */
  readonly epochs?: number;
  /** B, the batches of an epoch of stage II. Default: as many as the dataset has. */
  readonly batches?: number;
  /** Stop when no more than this share of the images changes its cluster. Default: 0. */
  readonly tolerance?: number;
  /** Of stage II. Default: SGD, learning rate 0.1, momentum 0.9. */
  readonly optimizer?: OptimizerOptions;
}

/** The options, checked and with their defaults. */
export function dbcSettings(dataset: Dataset, options: DbcOptions) {
  const fcae = fcaeSettings(dataset, options);
  const { alpha = 2, v = 1, balance = "boosted", epochs = 50, tolerance = 0 } = options;
  const { batches = Math.ceil(dataset.count / fcae.batch) } = options;
  const optimizer = createOptimizer(stageTwoOptimizer(options)).settings;
  const settings = { ...fcae, alpha, v, balance, epochs, batches, tolerance, optimizer };
  expectSelfTraining(settings);
  return settings;
}

const stageTwoOptimizer = ({ optimizer = { kind: "sgd" } }: DbcOptions): OptimizerOptions => optimizer;

export async function fitDbc(dataset: Dataset, options: DbcOptions): Promise<Fitted> {
  const settings = dbcSettings(dataset, options);
  const { k, v } = settings;
  const course = new Course(options.checkpoints);
  const context = { dataset, course, options };
  const architecture = networkOf(dataset, options);
  const fcae = await trainFcae(options, context);
  const { centres } = await initialClusters(architecture, fcae, context);
  const result = await selfTrain(
    {
      architecture,
      trained: withCentres(architecture, fcae, centres),
      settings,
      optimizer: stageTwoOptimizer(options),
    },
    context,
  );
  return { method: "dbc", settings, architecture, k, v, autoEncoder: fcae, ...result };
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
