/** boostcluster: learns to sort unlabelled images into groups. This file is the table of contents. */

// Images in.
export type { Dataset, Labels, SkippedFile } from "./dataset.ts";
export { listNamedSets, type NamedSet } from "./data/named-sets.ts";
export { type OpenOptions, openDataset } from "./data/open.ts";
export { type StreamedImage, streamImages } from "./data/stream.ts";
export { type ImageSize, pixelCount } from "./image.ts";

// Methods: fit a dataset, watch, stop, go on.
export { type DbcOptions, fitDbc } from "./methods/dbc.ts";
export { type FcaeOptions, type Initialization, initializations } from "./methods/fcae.ts";
export { fitFcaeKms } from "./methods/fcae-kms.ts";
export type { OnProgress, ProgressEvent } from "./methods/progress.ts";
export type { Checkpoint, CheckpointStore } from "./model/checkpoint.ts";
export type { Fitted, HistoryEntry } from "./model/fitted.ts";

// Saved runs.
export { runCheckpoints } from "./model/run-checkpoints.ts";
export { type LoadedRun, loadRun, type RunRecord, type SaveOptions, saveRun } from "./model/run-folder.ts";

// Numbers out.
export {
  accuracy,
  ari,
  completeness,
  confusionMatrix,
  type Evaluation,
  evaluateClustering,
  homogeneity,
  nmi,
  nmiArithmetic,
  optimalMap,
  purity,
} from "./metrics/external.ts";
export { calinskiHarabasz, daviesBouldin } from "./metrics/dispersion.ts";
export { type SilhouetteOptions, silhouette } from "./metrics/silhouette.ts";

// Clustering: k-means, and the targets of DBC.
export { type KMeansOptions, type KMeansResult, kMeans } from "./clustering/k-means.ts";
export { type Balance, boostedTargets, type TargetOptions } from "./clustering/targets.ts";
export { type Matrix, matrix } from "./matrix.ts";

// Networks: architectures, training steps, prediction, the exported model.
export {
  type Activation,
  type Architecture,
  type ArchitectureOptions,
  activations,
  type ConvolutionLayer,
  denseArchitecture,
  deriveArchitecture,
  type Layer,
  type PaperNetwork,
  type PoolLayer,
  paperArchitecture,
  paperNetworks,
} from "./network/architecture.ts";
export { type InferenceOptions, inferenceProgram, type ScoringOptions } from "./network/inference.ts";
export {
  type AdamOptions,
  createOptimizer,
  type Optimizer,
  type OptimizerOptions,
  type SgdOptions,
} from "./network/optimizer.ts";
export { type ParameterSpec, parameterView } from "./network/parameters.ts";
export { type Prediction, Predictor, type PredictorOptions } from "./network/predictor.ts";
export {
  autoEncoderProgram,
  type ClusteringSettings,
  centresName,
  clusteringProgram,
  type TrainingProgram,
  type TrainingSettings,
} from "./network/programs.ts";
export { featureSize, type SizedLayer, sizedLayers } from "./network/shapes.ts";
export type { TrainedValues } from "./network/trained.ts";
export { Trainer, type TrainerOptions, type TrainerState } from "./network/trainer.ts";

// The engine below them.
export { availableDevices, type Device } from "./engine/device.ts";
export type { Program } from "./engine/program.ts";
export { Session, type SessionOptions } from "./engine/session.ts";

export { InputError } from "./errors.ts";
export { Random } from "./random.ts";
