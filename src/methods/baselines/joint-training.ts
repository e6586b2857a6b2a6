/** Trains an auto-encoder and a penalty on its features together: what AEC, DCN and DEN do after pretraining. */

import { sharedOptions } from "../../engine/ranks/collective.ts";
import type { Tensor } from "../../graph/tensor.ts";
import type { Architecture } from "../../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../../network/optimizer.ts";
import { autoEncoderProgram } from "../../network/programs.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { Trainer } from "../../network/trainer.ts";
import { partSize, partsOf } from "../training/parts.ts";
import { type Epoch, type Training, type TrainingContext, TrainingLoop } from "../training/training-loop.ts";

export interface JointTraining extends Omit<Training, "name" | "stage"> {
  readonly optimizer: OptimizerOptions;
  /** Added to the reconstruction error; a function of the features [batch, d]. */
  readonly penalty: (features: Tensor) => Tensor;
  /** Images that a step takes in, where that is not `batch`. */
  readonly imagesPerStep?: number;
  /** Steps also give `features`, after the update. */
  readonly featuresAfter?: boolean;
  /** Called before each epoch, with the network as it stands. */
  readonly prepare: (epoch: number, trained: TrainedValues) => Promise<Epoch>;
}

/** What its checkpoints go by. */
export const jointTraining = "clustering";

/** The parameters of encoder, then decoder. For networks without batch normalization. */
export async function trainJointly(
  architecture: Architecture,
  start: TrainedValues,
  { optimizer: optimizerOptions, penalty, imagesPerStep, featuresAfter = false, prepare, ...training }: JointTraining,
  context: TrainingContext,
): Promise<TrainedValues> {
  const optimizer = createOptimizer(optimizerOptions);
  const { batch, seed } = training;
  const { options } = context;
  const program = autoEncoderProgram(architecture, {
    batch: partSize(imagesPerStep ?? batch, options),
    parts: partsOf(options),
    optimizer,
    penalty,
    featuresAfter,
  });
  const trainer = await Trainer.open(program, { ...sharedOptions(options), optimizer, seed });
  try {
    trainer.restore({ step: 0, vectors: { ...trainer.save().vectors, parameters: start.parameters } });
    const loop = new TrainingLoop(trainer, { ...training, name: jointTraining, stage: "clustering" }, context);
    while (!loop.finished) await loop.runEpoch(await prepare(loop.next, trainer));
    return { parameters: trainer.parameters.slice(), statistics: trainer.statistics.slice() };
  } finally {
    await trainer.close();
  }
}
