/** boostcluster: learns to sort unlabelled images into groups. This file is the table of contents. */

// Clustering: k-means, and the targets of DBC.
export { type KMeansOptions, type KMeansResult, kMeans } from "./clustering/k-means.ts";
export { type Balance, boostedTargets, type TargetOptions } from "./clustering/targets.ts";
// The engine below them.
export { availableDevices, type Device } from "./engine/device.ts";
export type { Program } from "./engine/program.ts";
export { Session, type SessionOptions } from "./engine/session.ts";
export type { ImageSize } from "./image.ts";
export { InputError } from "./errors.ts";
export { type Matrix, matrix } from "./matrix.ts";
// Networks: architectures, training steps, the exported model.
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
export { copyShared, type ParameterSpec, parameterView } from "./network/parameters.ts";
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
export { Random } from "./random.ts";
