/** DBC: discriminatively boosted clustering, the paper's Algorithms 1 and 2, and what we add to them. */
import { type Clusters, type FindClusters, kMeansClusters } from "../../clustering/clusters.ts";
import { graphClusters } from "../../clustering/graph-clusters.ts";
import { inPairs } from "../../clustering/sample-constraints.ts";
import type { Images } from "../../images/dataset.ts";
import { shrunkDataset } from "../../images/shrunk-dataset.ts";
import { type Architecture, withoutShrinking } from "../../network/architecture.ts";
import type { TrainedValues } from "../../network/trained.ts";
import type { Matrix } from "../../numeric/matrix.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { Method, MethodOptions } from "../method.ts";
import { resolved } from "../training/common-options.ts";
import { featuresOf } from "../training/features.ts";
import { fittedWith } from "../training/outcome.ts";
import { partSize } from "../training/parts.ts";
import { announce, type PlannedStage } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import type { TrainingContext } from "../training/training-loop.ts";
import { algorithm1, type Encoders, type StageOneAdditions } from "./algorithm-1.ts";
import { algorithm2, type StageTwoAdditions } from "./algorithm-2.ts";
import { DrawnConstraints } from "./drawn-constraints.ts";
import { overClusters, trainEnsemble } from "./encoder-ensemble.ts";
import { memberSuffix, networkFor, plannedAutoEncoders, withinMembers } from "./fcae.ts";
import { smoothedByLandmarks } from "./landmark-smoothing.ts";
import { contextOf, landmarksAmong } from "./landmarks.ts";
import { isLinear, principalEncoder } from "./linear-encoder.ts";
import { smoothedFit } from "./neighbour-smoothing.ts";
import { type DbcOptions, type DbcSettings, dbcOptions, dbcSettings } from "./options.ts";
import { PseudoLabels, warmUpSchedule } from "./pseudo-labels.ts";
import { type Attempt, bestOfTrials } from "./trials.ts";
import { vectorClusters } from "./vector-clusters.ts";

export async function fitDbc(dataset: Images, options: DbcOptions): Promise<Fitted> {
  const settings = dbcSettings(dataset, options);
  const architecture = networkFor(dataset, { ...options, ...settings });
  // Images are shrunk once for training; the finished network takes whole ones and shrinks them itself.
  const network = withoutShrinking(architecture);
  const run = new ResumableRun(options.checkpoints, options.collective);
  const seen = shrunkDataset(dataset, architecture.shrink ?? 1);
  const whole = { dataset: seen, run, options: resolved(options, settings) };
  const landmarks = landmarksAmong(dataset.count, { ...options, ...settings });
  const context = contextOf(whole, landmarks);
  announce(options, plannedStages(settings, dataset));

  const attempt = async (trial: number): Promise<Attempt> => {
    const first = stageOneAdditions(network, settings, { whole, context }, trial);
    const { autoEncoder, encoder, clusters } = await algorithm1(network, settings, context, first);
    const start = { encoder, centres: clusters.centres };
    const second = stageTwoAdditions(settings, clusters, context, trial);
    const { converged, ...trained } = await algorithm2(network, start, settings, context, second);
    return { autoEncoder, trained, converged };
  };
  const { autoEncoder, trained, converged } = await bestOfTrials({ ...settings, network }, context, attempt);

  const outcome = { method: "dbc", settings, architecture, v: settings.v, autoEncoder, history: run.history };
  const fitted = await fittedWith(dataset, { ...outcome, trained, converged }, options);
  const { smoothing: share } = settings;
  const autoEncoderFeatures = (images = landmarks) =>
    featuresOf(contextOf(whole, images).dataset, network, autoEncoder, options);
  return landmarks.length === dataset.count
    ? smoothedFit(fitted, { share, autoEncoderFeatures }, options)
    : smoothedByLandmarks(fitted, { share, landmarks, autoEncoderFeatures }, options);
}

const finders: Readonly<Record<DbcSettings["initialClusters"], FindClusters>> = {
  graph: graphClusters,
  "k-means": kMeansClusters,
  agreement: vectorClusters,
};

/** What Algorithm 1 does otherwise than in the paper. */
function stageOneAdditions(
  architecture: Architecture,
  settings: DbcSettings,
  { whole, context }: { readonly whole: TrainingContext; readonly context: TrainingContext },
  trial: number,
): StageOneAdditions {
  const findClusters = finders[settings.initialClusters];
  const ensemble = { architecture, settings, findClusters, trial };
  const trainEncoders = isLinear(architecture)
    ? () => onlyEncoder(principalEncoder(architecture, whole))
    : () => trainEnsemble(ensemble, whole, context);
  return {
    trainEncoders,
    findClusters,
    ...(trial === 0 ? {} : { name: `clusters, trial ${trial + 1}` }),
  };
}

const onlyEncoder = async (trained: Promise<TrainedValues>): Promise<Encoders> => {
  const autoEncoder = await trained;
  return { autoEncoder, encoders: [autoEncoder] };
};

/** What Algorithm 2 does otherwise than in the paper; pseudo-labels only where something is asked of them. */
function stageTwoAdditions(
  settings: DbcSettings,
  { labels }: Clusters,
  { options }: TrainingContext,
  trial: number,
): StageTwoAdditions {
  const { k, alpha, balance, pseudoLabelWeight: weight, augmentation, unaugmentedEpochs, finalLearningRate } = settings;
  const changes = { augmentation, unaugmentedEpochs, finalLearningRate, training: trainingOfTrial(settings, trial) };
  const said = constraintsFor(settings, options);
  if (settings.warmUpEpochs + settings.reclusterings + weight === 0) return { ...changes, ...said };
  const recluster = (features: Matrix) => finders[settings.initialClusters](features, options);
  const schedule = warmUpSchedule(settings);
  return {
    ...changes,
    ...said,
    pseudoLabels: new PseudoLabels(labels, { k, alpha, balance, weight, schedule, recluster }),
  };
}

/** The first is called as if it were the only one. */
function trainingOfTrial({ epochs, trials }: DbcSettings, trial: number): NonNullable<StageTwoAdditions["training"]> {
  const member = { number: trial, total: trials };
  return { name: `clustering${memberSuffix(member)}`, stage: "clustering", within: withinMembers(epochs, member) };
}

/** Which cluster a label will be is not known beforehand: what was said are pairs. */
function constraintsFor(
  { k, batch, batches, seed }: DbcSettings,
  options: MethodOptions,
): Pick<StageTwoAdditions, "constraints"> {
  const { constraints } = options;
  if (constraints === undefined) return {};
  const known = new Int32Array(constraints.known.length).fill(-1);
  return {
    constraints: new DrawnConstraints(
      { known, ...inPairs(constraints) },
      { k, images: known.length, batch: partSize(batch, options), batches, seed },
    ),
  };
}

/** What there is to do, stage by stage. */
function plannedStages(settings: DbcSettings, images: Images): readonly PlannedStage[] {
  const { trials, autoEncoders, overClusteringEpochs, epochs, batches, batch } = settings;
  const members = trials * autoEncoders;
  const overClustering = overClusters(settings, images.count) ? members * overClusteringEpochs : 0;
  return [
    plannedAutoEncoders(settings, members),
    { stage: "over-clustering", epochs: overClustering, batches, batch },
    { stage: "clustering", epochs: trials * epochs, batches, batch },
  ];
}

export const dbc: Method<DbcOptions> = {
  name: "dbc",
  title: "DBC",
  summary: "learns features and centres together, from targets that boost what it is sure of",
  reference:
    "Li, Qiao, Zhang, Xi: Discriminatively Boosted Image Clustering with Fully Convolutional Auto-Encoders, 2018",
  goodFor: "the clearest clusters of images; the default",
  options: dbcOptions,
  settings: dbcSettings,
  fit: fitDbc,
};
