/** boostcluster: learns to sort unlabelled images into groups. This file is the table of contents. */

// Images in.
export type { AddedImages, Dataset, Images, Labels, SkippedFile } from "./images/dataset.ts";
export { type CacheSize, cacheSize, clearCache } from "./images/sources/decoded-cache.ts";
export { type FetchNamedSetOptions, fetchNamedSet, listNamedSets, type NamedSet } from "./images/sources/named-sets.ts";
export {
  copyCount,
  distinctImages,
  findStacks,
  type Stack,
  type StackMember,
  type StackOptions,
} from "./images/duplicates/stacks.ts";
export { type OpenOptions, openDataset } from "./images/sources/open.ts";
export { openVectors, type VectorsOptions } from "./images/sources/vectors-file.ts";
export { type StreamedImage, type StreamSettings, streamImages } from "./images/sources/stream.ts";
export { type AugmentedSet, type AugmentedSetOptions, writeAugmentedSet } from "./images/augmented-set.ts";
export { type ImageSize, pixelCount } from "./images/image.ts";

// Pretrained networks for photographs.
export {
  type AddBackboneOptions,
  addBackbone,
  type BackbonePlace,
  type KnownBackbone,
  listBackbones,
  removeBackbone,
} from "./backbones/install.ts";
export { type OpenBackboneOptions, openBackbone } from "./backbones/backbone.ts";
export type { Backbone, BackboneRecord, Normalization } from "./network/backbone.ts";
export { type BackboneVectorsOptions, backboneVectors } from "./backbones/vectors.ts";

// Methods: fit a dataset, watch, stop, go on. `methods` has all nine by name.
export { type MethodName, methodNames, methods } from "./methods/methods.ts";
export type { Method, MethodOptions } from "./methods/method.ts";
export { fitKms } from "./methods/baselines/kms.ts";
export type { DaeOptions } from "./methods/baselines/dae.ts";
export { fitDaeKms } from "./methods/baselines/dae-kms.ts";
export { type AecOptions, fitAec } from "./methods/baselines/aec.ts";
export { fitIec, type IecOptions } from "./methods/baselines/iec.ts";
export { type DecOptions, fitDec } from "./methods/baselines/dec.ts";
export { type DenOptions, fitDen } from "./methods/baselines/den.ts";
export { type DcnOptions, fitDcn } from "./methods/baselines/dcn.ts";
export { type FcaeOptions, type Initialization, initializations } from "./methods/dbc/fcae.ts";
export { fitFcaeKms } from "./methods/baselines/fcae-kms.ts";
export { type Estimate, type EstimateOptions, estimateK } from "./methods/dbc/estimate-k.ts";
export { fitDbc } from "./methods/dbc/dbc.ts";
export type { DbcOptions } from "./methods/dbc/options.ts";
export { type Option, type OptionTable, type Preset, presets } from "./methods/options.ts";
export { type Augmentation, augment, augmentations } from "./images/augmentation.ts";
export type { Pretrained, PretrainedStore } from "./methods/training/pretrained.ts";
export type { OnProgress, ProgressEvent } from "./methods/training/progress.ts";
export type { Checkpoint, CheckpointStore } from "./runs/checkpoint.ts";
export type { Fitted, HistoryEntry } from "./runs/fitted.ts";

// Saved runs.
export { type RunCheckpoints, runCheckpoints } from "./runs/run-checkpoints.ts";
export { LockedError } from "./files/lock-file.ts";
export { lockRun, type RunLock } from "./runs/run-lock.ts";
export { openRunModel, type RunModel, type RunModelOptions } from "./runs/run-model.ts";
export { type LoadedRun, loadRun, readAssignments, type SaveOptions, saveRun } from "./runs/run-folder.ts";
export { type AddedToRun, type AddImagesOptions, addImages } from "./runs/add-images.ts";
export { type Structure, type StructureOptions, structureOf } from "./runs/structure.ts";
export { readTree } from "./runs/tree-file.ts";
export { readStacks } from "./runs/duplicates-file.ts";
export { restoreDuplicates, restoredSnapshots } from "./runs/restore-duplicates.ts";
export type { RunRecord } from "./runs/run-record.ts";
export type { AssignmentRow } from "./runs/assignments.ts";

// Decisions: what people say about the clusters of a run, and the clusters as they were decided.
export type { Action, Decision, ImageKey } from "./runs/decisions/decision.ts";
export { DecisionLog, type OpenLogOptions } from "./runs/decisions/decision-log.ts";
export {
  type Decided,
  type DecidedCluster,
  foldDecisions,
  type ModelClusters,
} from "./runs/decisions/fold-decisions.ts";
export { imageKeys } from "./runs/decisions/image-keys.ts";
export { carryDecisions } from "./runs/decisions/carry-decisions.ts";
export { clusterReference } from "./runs/decisions/cluster-reference.ts";
export { describeDecision } from "./runs/decisions/describe-decision.ts";
export {
  type DecidedRow,
  type DecidedRun,
  type ReadDecidedOptions,
  readDecided,
} from "./runs/decisions/decided-run.ts";

// Learning from decisions: what they mean, whom to ask, and stage II once more.
export {
  type Constraints,
  type Contradiction,
  constraintsOf,
  type DecidedConstraints,
} from "./runs/decisions/constraints.ts";
export { type AskOptions, ask, type Question } from "./methods/dbc/ask.ts";
export { type Question as SampleQuestion, chooseQuestions, type QuestionOptions } from "./clustering/questions.ts";
export type { Learned } from "./methods/dbc/learned.ts";
export { type RefineOptions, refine } from "./methods/dbc/refine.ts";
export { clusterNumbers } from "./methods/dbc/refined-clusters.ts";

// Report: a run as one page to read.
export { makeReport, type ReportOptions } from "./report/make-report.ts";
export type { ReportedRun } from "./report/subject.ts";

// Folders of images; other viewers: TensorBoard's projector, Parquet with images for Embedding Atlas and others, the model by itself.
export { undoMoves } from "./export/organize/move-journal.ts";
export { type Organized, organize } from "./export/organize/organize.ts";
export { type OrganizeOptions, type OrganizePlan, organizePlan, type Placement } from "./export/organize/plan.ts";
export { describeOnnx, exportOnnx } from "./export/onnx.ts";
export { exportParquet, type ParquetOptions } from "./export/parquet.ts";
export { exportProjector } from "./export/projector.ts";
export {
  type ExportOptions,
  openRunImages,
  type RunContents,
  type RunImagesOptions,
  readDecidedContents,
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
export { type Matrix, matrix } from "./numeric/matrix.ts";

// Neighbourhoods and maps: nearest neighbours, the groups of their graph, principal components, t-SNE.
export { type Neighbours, type NeighboursOptions, nearestNeighbours } from "./clustering/neighbours.ts";
export { type NeighbourGraph, neighbourGraph } from "./clustering/neighbour-graph.ts";
export { type Join, type LinkageTree, linkGraph } from "./clustering/graph-linkage.ts";
export { cutTree, type TreeCutOptions } from "./clustering/tree-cut.ts";
export { type ClusterTreeOptions, clusterTree } from "./clustering/grow-tree.ts";
export {
  type ClusterTree,
  clusterLevel,
  cutAtLevel,
  finestLevel,
  type Merge,
  type TreeLevel,
} from "./clustering/cluster-tree.ts";
export {
  type BelongingOptions,
  belonging,
  type NoneSetting,
  neighbourDistances,
  putAside,
} from "./clustering/belonging.ts";
export { meanNormalizedCut } from "./clustering/normalized-cut.ts";
export {
  type PrincipalComponents,
  type PrincipalComponentsOptions,
  principalComponents,
} from "./embedding/principal-components.ts";
export type { TsneInitialization } from "./embedding/initial-map.ts";
export { type TsneOptions, type TsneResult, tsne } from "./embedding/t-sne.ts";

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
export { alone, type Collective, type SharedArray, type SharedOptions } from "./engine/ranks/collective.ts";
export { openRanks } from "./engine/ranks/open-ranks.ts";
export { Session, type SessionOptions } from "./engine/session.ts";

export { InputError } from "./files/errors.ts";
export { Random } from "./numeric/random.ts";
