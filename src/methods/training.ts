/** The one training loop: epochs of mini-batches, with what a method prepares for each; stopped, it can go on. */
import { type Augmentation, augment } from "../augmentation.ts";
import type { Images } from "../dataset.ts";
import { expectFloats } from "../engine/program.ts";
import type { Results } from "../engine/session.ts";
import { pixelCount } from "../image.ts";
import type { HistoryEntry, Stage } from "../model/fitted.ts";
import type { Batch, Trainer } from "../network/trainer.ts";
import { Random } from "../random.ts";
import { shuffledBatches } from "./batches.ts";
import type { Course, Vectors } from "./course.ts";
import type { MethodOptions } from "./method.ts";

/** What one epoch needs. */
export interface Epoch {
  /** What a step is fed beside, or instead of, the images. */
  readonly feeds?: (indices: Uint32Array) => Batch;
  /** Called with a step's outputs. */
  readonly learned?: (indices: Uint32Array, results: Results) => void;
  /** What to note of the clusters that it begins with. */
  readonly clusters?: Pick<HistoryEntry, "changed" | "metrics">;
}

export interface Training {
  /** Unique within a method: what orders, corruptions and checkpoints go by. */
  readonly phase: string;
  readonly stage: Stage;
  readonly epochs: number;
  readonly seed: number;
  /** Images a step. */
  readonly batch: number;
  /** Steps an epoch. Default: as many as see each image. */
  readonly batches?: number;
  /** Factor of the learning rate. Default: 1. */
  readonly rateScale?: (epoch: number) => number;
  /** How images are changed each time they are seen. Default: "none". */
  readonly augmentation?: Augmentation;
  /** The last epochs, so many of them, see images as they are. Default: 0. */
  readonly plainEpochs?: number;
  /** Called before each epoch. `undefined` ends the training. */
  readonly prepare?: (epoch: number) => Promise<Epoch | undefined>;
  /** What the method needs, beside the network, to go on. */
  readonly carried?: () => Vectors;
  /** The phase is part of a stage: epochs of that stage before it, and in all. */
  readonly within?: { readonly before: number; readonly total: number };
}

/** What is the same for all trainings of a run. */
export interface TrainingContext {
  readonly dataset: Images;
  readonly course: Course;
  readonly options: MethodOptions;
}

/** Trains from where the course is; returns the number of epochs done. */
export async function train(trainer: Trainer, training: Training, context: TrainingContext): Promise<number> {
  const { course } = context;
  const opened = course.opened(training.phase);
  if (opened !== undefined) trainer.restore(opened.trainer);
  for (let epoch = (opened?.epochs ?? 0) + 1; epoch <= training.epochs; epoch++) {
    context.options.signal?.throwIfAborted();
    const prepared = training.prepare === undefined ? {} : await training.prepare(epoch);
    if (prepared === undefined) return epoch - 1;
    const loss = await trainEpoch(trainer, training, epoch, prepared, context);
    trainer.expectFinite();
    note(training, epoch, loss, prepared, context);
    course.save(training.phase, { epochs: epoch, trainer: trainer.save(), carried: training.carried?.() ?? {} });
  }
  return training.epochs;
}

async function trainEpoch(
  trainer: Trainer,
  training: Training,
  epoch: number,
  { feeds, learned }: Epoch,
  { dataset, options }: TrainingContext,
): Promise<number> {
  const { phase, stage, seed, batch, epochs, rateScale, augmentation = "none", plainEpochs = 0 } = training;
  const batches = training.batches ?? Math.ceil(dataset.count / batch);
  const images = new Float32Array(batch * pixelCount(dataset.image));
  const random = new Random(seed, `${phase} augmentation, epoch ${epoch}`);
  let loss = 0;
  let done = 0;
  for (const indices of shuffledBatches(dataset.count, batch, { seed, use: phase, epoch, batches })) {
    options.signal?.throwIfAborted();
    dataset.read(indices, images);
    if (epoch <= epochs - plainEpochs) augment(images, dataset.image, augmentation, random);
    const results = await trainer.advance({ images, ...feeds?.(indices) }, rateScale?.(epoch));
    loss += expectFloats(results.loss)[0];
    learned?.(indices, results);
    done++;
    options.onProgress?.({ kind: "batch", stage, ...placeOf(training, epoch), done, total: batches, batch });
  }
  return loss / batches;
}

function note(training: Training, epoch: number, loss: number, { clusters }: Epoch, context: TrainingContext): void {
  const { stage } = training;
  const { epoch: number, epochs } = placeOf(training, epoch);
  context.course.history.push({ stage, epoch: number, loss, ...clusters });
  const changed = clusters?.changed === undefined ? {} : { changed: clusters.changed };
  context.options.onProgress?.({ kind: "epoch", stage, epoch: number, epochs, loss, ...changed });
}

const placeOf = ({ within, epochs }: Training, epoch: number): { epoch: number; epochs: number } => ({
  epoch: (within?.before ?? 0) + epoch,
  epochs: within?.total ?? epochs,
});
