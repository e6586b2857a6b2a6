/** DEC: deep embedded clustering (Xie et al. 2016). Targets s²/f of the whole set, f_j = Σ_i s_ij. */
import type { Images } from "../dataset.ts";
import type { Fitted } from "../model/fitted.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { Course } from "./course.ts";
import { type DaeOptions, daeNetwork, daeSettings, trainDae } from "./dae.ts";
import { fittedWith, initialClusters, withCentres } from "./feature-clusters.ts";
import type { Method } from "./method.ts";
import { expectSelfTraining, selfTrain } from "./self-training.ts";

export interface DecOptions extends DaeOptions {
  /** How often, at most, targets are computed anew. Default: 100. */
  readonly epochs?: number;
  /** Batches from targets to targets. Default: 160, or as many as the dataset has if those are fewer. */
  readonly batches?: number;
  /** Stop when no more than this share of the images changes its cluster. Default: 0.001. */
  readonly tolerance?: number;
  /** Of clustering. Default: SGD, learning rate 0.01, momentum 0.9. */
  readonly optimizer?: OptimizerOptions;
}

const interval = 160;

/** The options, checked and with their defaults. */
export function decSettings(dataset: Images, options: DecOptions) {
  const dae = daeSettings(dataset, options);
  const { epochs = 100, tolerance = 0.001 } = options;
  const { batches = Math.min(interval, Math.ceil(dataset.count / dae.batch)) } = options;
  const optimizer = createOptimizer(clusteringOptimizer(options)).settings;
  const settings = { ...dae, alpha: 2, v: 1, balance: "scores", epochs, batches, tolerance, optimizer } as const;
  expectSelfTraining(settings);
  return settings;
}

const clusteringOptimizer = ({ optimizer = { kind: "sgd", learningRate: 0.01 } }: DecOptions): OptimizerOptions =>
  optimizer;

export async function fitDec(dataset: Images, options: DecOptions): Promise<Fitted> {
  const settings = decSettings(dataset, options);
  const { v } = settings;
  const course = new Course(options.checkpoints);
  const context = { dataset, course, options };
  const architecture = daeNetwork(dataset, settings.units);
  const dae = await trainDae(architecture, settings, options, context);
  const { centres } = await initialClusters(architecture, dae, context);
  const trained = withCentres(architecture, dae, centres);
  const { converged, ...result } = await selfTrain(
    { architecture, trained, settings, optimizer: clusteringOptimizer(options) },
    context,
  );
  const { history } = context.course;
  const outcome = { method: "dec", settings, architecture, v, autoEncoder: dae, history, trained: result, converged };
  return fittedWith(dataset, outcome, options);
}

export const dec: Method<DecOptions> = {
  name: "dec",
  title: "DEC",
  summary: "sharpens the soft clusters of a denoising auto-encoder's features by training towards their squares",
  reference: "Xie, Girshick, Farhadi: Unsupervised Deep Embedding for Clustering Analysis, 2016",
  goodFor: "small, centred images such as digits, when a dense network is enough",
  settings: decSettings,
  fit: fitDec,
};
