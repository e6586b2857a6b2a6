/** DEC: deep embedded clustering (Xie et al. 2016). Targets s²/f of the whole set, f_j = Σ_i s_ij. */
import { kMeansClusters } from "../../clustering/clusters.ts";
import type { Images } from "../../images/dataset.ts";
import { withShrinking } from "../../network/architecture.ts";
import type { Fitted } from "../../runs/fitted.ts";
import { algorithm2 } from "../dbc/algorithm-2.ts";
import type { Method, MethodOptions } from "../method.ts";
import type { Known, OptionsOf, OptionTable } from "../options.ts";
import {
  batchesOption,
  epochsOption,
  optimizerOption,
  resolved,
  settingsFor,
  toleranceOption,
} from "../training/common-options.ts";
import { initialClustersOf } from "../training/initial-clusters.ts";
import { fittedWith } from "../training/outcome.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import { daeNetwork, daeOptions, plannedDense, roundsOf, seenBy, trainDae } from "./dae.ts";

/** DEC's authors compute targets anew after so many mini-batches on MNIST. */
const interval = 160;

export const decOptions = {
  ...daeOptions,
  epochs: { ...epochsOption, default: roundsOf(100) },
  batches: {
    ...batchesOption,
    default: {
      words: `${interval}, or as many as see each image once if those are fewer`,
      value: ({ images, number }: Known) => Math.min(interval, Math.ceil(images.count / number("batch"))),
    },
  },
  tolerance: { ...toleranceOption, default: 0.001 },
  optimizer: { ...optimizerOption, default: { kind: "sgd", learningRate: 0.01 } },
} as const satisfies OptionTable;

export interface DecOptions extends MethodOptions, OptionsOf<typeof decOptions> {}

/** The options, checked and with their defaults; and what makes DEC of Algorithm 2. */
export const decSettings = (dataset: Images, options: DecOptions) =>
  ({ ...settingsFor(decOptions, dataset, options), alpha: 2, v: 1, balance: "scores" }) as const;

export async function fitDec(dataset: Images, options: DecOptions): Promise<Fitted> {
  const settings = decSettings(dataset, options);
  const run = new ResumableRun(options.checkpoints, options.collective);
  const { seen, shrink } = seenBy(dataset, settings);
  const context = { dataset: seen, run, options: resolved(options, settings) };
  const network = daeNetwork(seen, settings.units, options);
  announce(options, plannedDense(settings, dataset, settings));
  const dae = await trainDae(network, settings, context);
  const { centres } = await initialClustersOf(network, dae, context, kMeansClusters);
  const { converged, ...trained } = await algorithm2(network, { encoder: dae, centres }, settings, context);
  const architecture = withShrinking(network, shrink);
  const outcome = { method: "dec", settings, architecture, v: settings.v, autoEncoder: dae, history: run.history };
  return fittedWith(dataset, { ...outcome, trained, converged }, options);
}

export const dec: Method<DecOptions> = {
  name: "dec",
  title: "DEC",
  summary: "sharpens the soft clusters of a denoising auto-encoder's features by training towards their squares",
  reference: "Xie, Girshick, Farhadi: Unsupervised Deep Embedding for Clustering Analysis, 2016",
  goodFor: "small, centred images such as digits, when a dense network is enough",
  options: decOptions,
  settings: decSettings,
  fit: fitDec,
};
