/** Trains an auto-encoder and a penalty on its features together: what AEC, DCN and DEN do after pretraining. */
import type { Tensor } from "../graph/tensor.ts";
import type { Architecture } from "../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { autoEncoderProgram } from "../network/programs.ts";
import type { TrainedValues } from "../network/trained.ts";
import { Trainer } from "../network/trainer.ts";
import { sessionOptions } from "./settings.ts";
import { type Training, type TrainingContext, train } from "./training.ts";

export interface JointTraining extends Omit<Training, "phase" | "stage" | "prepare"> {
  readonly optimizer: OptimizerOptions;
  /** Added to the reconstruction error; a function of the features [batch, d]. */
  readonly penalty: (features: Tensor) => Tensor;
  /** Images a step takes in, where that is not `batch`. */
  readonly imagesAStep?: number;
  /** Steps also give `features`, after the update. */
  readonly featuresAfter?: boolean;
  /** As in `Training`, and given the network as it stands. */
  readonly prepare: (epoch: number, trained: TrainedValues) => ReturnType<NonNullable<Training["prepare"]>>;
}

export const jointPhase = "clustering";

/** The parameters of encoder, then decoder. For networks without batch normalization. */
export async function trainJointly(
  architecture: Architecture,
  start: TrainedValues,
  { optimizer: optimizerOptions, penalty, imagesAStep, featuresAfter = false, ...training }: JointTraining,
  context: TrainingContext,
): Promise<TrainedValues> {
  const optimizer = createOptimizer(optimizerOptions);
  const { batch, seed } = training;
  const program = autoEncoderProgram(architecture, { batch: imagesAStep ?? batch, optimizer, penalty, featuresAfter });
  const trainer = await Trainer.open(program, { ...sessionOptions(context.options), optimizer, seed });
  try {
    trainer.restore({ step: 0, vectors: { ...trainer.save().vectors, parameters: start.parameters } });
    const prepare = (epoch: number) => training.prepare(epoch, trainer);
    await train(trainer, { ...training, phase: jointPhase, stage: "clustering", prepare }, context);
    return { parameters: trainer.parameters.slice(), statistics: trainer.statistics.slice() };
  } finally {
    await trainer.close();
  }
}
