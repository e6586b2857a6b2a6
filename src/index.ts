/** boostcluster: learns to sort unlabelled images into groups. This file is the table of contents. */

// Images in.
export type { Dataset, Images, Labels, SkippedFile } from "./dataset.ts";
export { listNamedSets, type NamedSet } from "./data/named-sets.ts";
export { type OpenOptions, openDataset } from "./data/open.ts";
export { type StreamedImage, streamImages } from "./data/stream.ts";
export { type ImageSize, pixelCount } from "./image.ts";

// Methods: fit a dataset, watch, stop, go on. `methods` has all nine by name.
export { type MethodName, methodNames, methods } from "./methods/methods.ts";
export type { Method, MethodOptions } from "./methods/method.ts";
export { fitKms } from "./methods/kms.ts";
export type { DaeOptions } from "./methods/dae.ts";
export { fitDaeKms } from "./methods/dae-kms.ts";
export { type AecOptions, fitAec } from "./methods/aec.ts";
export { fitIec, type IecOptions } from "./methods/iec.ts";
export { type DecOptions, fitDec } from "./methods/dec.ts";
export { type DenOptions, fitDen } from "./methods/den.ts";
export { type DcnOptions, fitDcn } from "./methods/dcn.ts";
export { type FcaeOptions, type Initialization, initializations } from "./methods/fcae.ts";
export { fitFcaeKms } from "./methods/fcae-kms.ts";
export { type Estimate, type EstimateOptions, estimateK } from "./methods/estimate-k.ts";
export { type CentreSource, type DbcOptions, fitDbc } from "./methods/dbc.ts";
export { type Preset, presets } from "./methods/dbc-presets.ts";
export { type Augmentation, augment, augmentations } from "./augmentation.ts";
export type { Pretrained, PretrainedStore } from "./methods/pretrained.ts";
export type { OnProgress, ProgressEvent } from "./methods/progress.ts";
export type { Checkpoint, CheckpointStore } from "./model/checkpoint.ts";
export type { Fitted, HistoryEntry } from "./model/fitted.ts";

// Saved runs.
export { runCheckpoints } from "./model/run-checkpoints.ts";
export {
  type LoadedRun,
  loadRun,
  type RunRecord,
  readAssignments,
  type SaveOptions,
  saveRun,
} from "./model/run-folder.ts";
export type { AssignmentRow } from "./model/table.ts";

// Report: a run as one page to read.
export { makeReport, type ReportOptions } from "./report/make-report.ts";
export type { ReportedRun } from "./report/subject.ts";

// Other viewers: TensorBoard's projector, Parquet with images for Embedding Atlas and others, the model by itself.
export { describeOnnx, exportOnnx } from "./export/onnx.ts";
export { exportParquet, type ParquetOptions } from "./export/parquet.ts";
export { exportProjector } from "./export/projector.ts";
export {
  type ExportOptions,
  openRunImages,
  type RunContents,
  type RunImagesOptions,
  readRunContents,
} from "./export/run-contents.ts";

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
export { type TrustworthinessOptions, trustworthiness } from "./metrics/trustworthiness.ts";

// Figures: SVG as text; PNG where they are made of images.
export { computeActivations, type LayerActivations } from "./figures/activations.ts";
export { type ActivationsOptions, activationsFigure } from "./figures/activations-figure.ts";
export { type FiltersOptions, filtersFigure, type LayerFilters, learnedFilters } from "./figures/filters.ts";
export {
  histogramOf,
  type ScoreHistogram,
  type ScoreHistogramsOptions,
  scoreHistogramsFigure,
} from "./figures/score-histograms.ts";
export { type KlLoss, type KlLossOptions, klLoss, klLossFigure } from "./figures/kl-loss.ts";
export { type ScatterOptions, type ScatterPanel, scatterFigure, type ThumbnailOptions } from "./figures/scatter.ts";
export {
  type Mistake,
  type MistakeSelection,
  type MistakesOptions,
  mistakesFigure,
  selectMistakes,
} from "./figures/mistakes.ts";
export { type CertaintyOptions, type CertaintyRow, certaintyFigure, selectCertainty } from "./figures/certainty.ts";
export { type ClusterRow, type GalleryOptions, galleryFigure, selectTypical } from "./figures/gallery.ts";
export { type Curve, type CurvePoint, type CurvesOptions, curvesFigure } from "./figures/curves.ts";
export { type CountEvidenceOptions, countEvidenceFigure } from "./figures/count-evidence.ts";
export { type HistoryOptions, historyFigure } from "./figures/history.ts";
export { type ConfusionOptions, confusionFigure } from "./figures/confusion.ts";
export { type Certain, certaintyOf, type RankedImage, type SoftAssignments } from "./figures/ranking.ts";
export type { ImageSource } from "./figures/images.ts";
export { type PictureOptions, type PngOptions, svgToPng, type Theme } from "./figures/picture.ts";

// Benchmarks: methods side by side, beside the paper's numbers.
export type { Cell, CellRecord } from "./benchmark/cell.ts";
export { type CellState, listCells } from "./benchmark/cell-states.ts";
export type { BenchmarkMethod } from "./benchmark/contenders.ts";
export { type PaperNumbers, paperDatasets, paperTables } from "./benchmark/paper-tables.ts";
export { type BenchmarkPlan, type BenchmarkRequest, planBenchmark } from "./benchmark/plan.ts";
export type { BenchmarkReport } from "./benchmark/report.ts";
export { writeReport } from "./benchmark/report-files.ts";
export { type BenchmarkEvent, type BenchmarkOptions, runBenchmark } from "./benchmark/run-benchmark.ts";
export { type Effort, efforts } from "./benchmark/schedules.ts";
export type { DatasetTable, MethodRow, Statistic } from "./benchmark/tables.ts";

// Clustering: k-means, and the targets of DBC.
export { type KMeansOptions, type KMeansResult, kMeans } from "./clustering/k-means.ts";
export { type Balance, boostedTargets, type TargetOptions } from "./clustering/targets.ts";
export { type Matrix, matrix } from "./matrix.ts";

// Neighbourhoods and maps: nearest neighbours, the groups of their graph, principal components, t-SNE.
export { type Neighbours, type NeighboursOptions, nearestNeighbours } from "./manifold/neighbours.ts";
export { type NeighbourGraph, neighbourGraph } from "./manifold/neighbour-graph.ts";
export { type Join, type LinkageTree, linkGraph } from "./manifold/graph-linkage.ts";
export { cutTree, type TreeCutOptions } from "./manifold/tree-cut.ts";
export { normalizedCut } from "./manifold/normalized-cut.ts";
export {
  type PrincipalComponents,
  type PrincipalComponentsOptions,
  principalComponents,
} from "./manifold/principal-components.ts";
export type { TsneInitialization } from "./manifold/initial-map.ts";
export { type TsneOptions, type TsneResult, tsne } from "./manifold/t-sne.ts";

// Networks: architectures, training steps, prediction, the exported model.
export {
  type Activation,
  type Architecture,
  type ArchitectureOptions,
  activations,
  type ConvolutionLayer,
  type DenseOptions,
  denseArchitecture,
  deriveArchitecture,
  type Layer,
  type PaperNetwork,
  type PoolLayer,
  paperArchitecture,
  paperNetworks,
  pixelArchitecture,
} from "./network/architecture.ts";
export type { Encoder, Ensemble } from "./network/ensemble.ts";
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
  type AutoEncoderSettings,
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
