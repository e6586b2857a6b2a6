/** Trains an auto-encoder, from random weights or from given ones; on corrupted images if asked. */

import { sharedOptions } from "../../engine/ranks/collective.ts";
import { pixelCount } from "../../images/image.ts";
import type { Architecture } from "../../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../../network/optimizer.ts";
import { autoEncoderProgram } from "../../network/programs.ts";
import { featureSize } from "../../network/shapes.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { type Batch, Trainer } from "../../network/trainer.ts";
import { Random } from "../../numeric/random.ts";
import { partSize, partStream, partsOf, perPart } from "./parts.ts";
import { type Epoch, type Training, type TrainingContext, TrainingLoop } from "./training-loop.ts";

export interface AutoEncoderTraining extends Training {
  readonly optimizer: OptimizerOptions;
  /** Of encoder and decoder, to start from. Default: random. */
  readonly parameters?: Float32Array;
  /** The share of pixels, and of features, that are set to zero at random. Default: 0. */
  readonly corruption?: number;
  /** Called with the trainer when the epochs are done. */
  readonly afterTraining?: (trainer: Trainer) => Promise<void>;
}

/** The parameters and statistics of encoder, then decoder. */
export async function trainAutoEncoder(
  architecture: Architecture,
  { optimizer: optimizerOptions, parameters, corruption = 0, afterTraining, ...training }: AutoEncoderTraining,
  context: TrainingContext,
): Promise<TrainedValues> {
  const optimizer = createOptimizer(optimizerOptions);
  const { seed, name, randomStream = name } = training;
  const { options } = context;
  const batch = partSize(training.batch, options);
  const program = autoEncoderProgram(architecture, {
    batch,
    optimizer,
    masked: corruption > 0,
    parts: partsOf(options),
  });
  const trainer = await Trainer.open(program, { ...sharedOptions(options), optimizer, seed });
  try {
    if (parameters !== undefined) trainer.restore({ step: 0, vectors: { ...trainer.save().vectors, parameters } });
    const sizes = { imageMask: batch * pixelCount(architecture.image), featureMask: batch * featureSize(architecture) };
    const corrupted = (epoch: number): Epoch => {
      const use = `${randomStream} corruption, epoch ${epoch}`;
      const randomOf = perPart((part) => new Random(seed, partStream(use, part)));
      return { feeds: (_, __, part) => masks(sizes, corruption, randomOf(part)) };
    };
    const loop = new TrainingLoop(trainer, training, context);
    while (!loop.finished) await loop.runEpoch(corruption > 0 ? corrupted(loop.next) : {});
    await afterTraining?.(trainer);
    return { parameters: trainer.parameters.slice(), statistics: trainer.statistics.slice() };
  } finally {
    await trainer.close();
  }
}

const masks = (sizes: Readonly<Record<string, number>>, share: number, random: Random): Batch =>
  Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, corruptionMask(size, share, random)]));

/** Zero for about this share, and for the others a factor that keeps the mean. */
export function corruptionMask(size: number, share: number, random: Random): Float32Array {
  const words = new Uint32Array(size);
  random.fill(words);
  const kept = 1 / (1 - share);
  const threshold = share * 2 ** 32;
  const mask = new Float32Array(size);
  for (let i = 0; i < size; i++) mask[i] = words[i] < threshold ? 0 : kept;
  return mask;
}
