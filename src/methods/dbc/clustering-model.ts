/** The clustering model (M2), x_i → z_i → s_ij: an encoder and centres, trained together. */
import { sharedOptions } from "../../engine/ranks/collective.ts";
import type { Architecture } from "../../network/architecture.ts";
import { encoderStatistics } from "../../network/layers.ts";
import { createOptimizer } from "../../network/optimizer.ts";
import { type ConstraintCounts, clusteringProgram } from "../../network/programs.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { Trainer } from "../../network/trainer.ts";
import { type EncodedDataset, scoresOf } from "../training/features.ts";
import { withCentres } from "../training/outcome.ts";
import { partSize, partsOf } from "../training/parts.ts";
import type { TrainingContext } from "../training/training-loop.ts";
import type { StageTwoSettings } from "./algorithm-2.ts";
import { batchScores } from "./batch-scores.ts";

export class ClusteringModel {
  readonly trainer: Trainer;
  readonly architecture: Architecture;
  readonly #settings: StageTwoSettings;
  readonly #context: TrainingContext;

  private constructor(
    trainer: Trainer,
    architecture: Architecture,
    settings: StageTwoSettings,
    context: TrainingContext,
  ) {
    this.trainer = trainer;
    this.architecture = architecture;
    this.#settings = settings;
    this.#context = context;
  }

  /** θ ← the encoder's, μ ← the centres [k, d]. */
  static async open(
    architecture: Architecture,
    { encoder, centres }: { readonly encoder: TrainedValues; readonly centres: Float32Array },
    settings: StageTwoSettings,
    context: TrainingContext,
    constraints?: ConstraintCounts,
  ): Promise<ClusteringModel> {
    const { k, v, seed } = settings;
    const { options } = context;
    const optimizer = createOptimizer(settings.optimizer);
    const program = clusteringProgram(architecture, {
      batch: partSize(settings.batch, options),
      parts: partsOf(options),
      optimizer,
      k,
      v,
      ...(constraints === undefined ? {} : { constraints }),
    });
    const trainer = await Trainer.open(program, { ...sharedOptions(options), optimizer, seed });
    const { parameters, statistics } = withCentres(architecture, encoder, centres);
    // A network without batch normalization has no statistics to start from.
    const start = statistics.length === 0 ? { parameters } : { parameters, statistics };
    trainer.restore({ step: 0, vectors: { ...trainer.save().vectors, ...start } });
    return new ClusteringModel(trainer, architecture, settings, context);
  }

  /** S, and Z if asked for, of all images as they are, or of some. */
  scores(wanted: {
    readonly keepFeatures: boolean;
    readonly images?: Uint32Array | undefined;
  }): Promise<EncodedDataset> {
    const { k, v, batch, seed, statistics = "running" } = this.#settings;
    const { dataset, options } = this.#context;
    if (statistics === "batch" && encoderStatistics(this.architecture).length > 0)
      return batchScores(dataset, this.architecture, this.trainer.parameters, {
        ...options,
        ...{ k, v, seed, batch: Math.min(partSize(batch, options), dataset.count), ...wanted },
      });
    return scoresOf(dataset, this.architecture, this.trainer, { ...options, k, v, ...wanted });
  }

  /** μ ← other centres; the encoder and the optimizer's memory stay. */
  replaceCentres(centres: Float32Array): void {
    const state = this.trainer.save();
    const { parameters } = withCentres(this.architecture, this.trainer, centres);
    this.trainer.restore({ ...state, vectors: { ...state.vectors, parameters } });
  }

  /** θ and μ as they are now. */
  values(): TrainedValues {
    return { parameters: this.trainer.parameters.slice(), statistics: this.trainer.statistics.slice() };
  }

  close(): Promise<void> {
    return this.trainer.close();
  }
}
