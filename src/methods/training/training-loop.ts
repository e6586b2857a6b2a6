/** The one training loop: epochs of mini-batches, with what a method prepares for each; stopped, it can go on. */
import { expectFloats } from "../../engine/program.ts";
import type { Results } from "../../engine/session.ts";
import { type Augmentation, augment } from "../../images/augmentation.ts";
import type { Images } from "../../images/dataset.ts";
import { pixelCount } from "../../images/image.ts";
import type { Batch, Trainer } from "../../network/trainer.ts";
import { Random } from "../../numeric/random.ts";
import type { HistoryEntry, Stage } from "../../runs/fitted.ts";
import type { MethodOptions } from "../method.ts";
import { drawnImages, shuffledBatches } from "./batches.ts";
import { DrawnImages } from "./drawn-images.ts";
import { ownParts, type Part, partSize, partStream, partsOf } from "./parts.ts";
import type { ResumableRun, Vectors } from "./resumable-run.ts";

/** What one epoch needs. */
export interface Epoch {
  /** What a step, or a part of it, is fed beside, or instead of, the images. */
  readonly feeds?: (indices: Uint32Array, further: Uint32Array, part: Part) => Batch;
  /** Further images that each part sees after its own, equally many in each step. Default: none. */
  readonly further?: (part: Part) => Iterable<Uint32Array>;
  /** Called with the outputs of a step that is not in parts. */
  readonly onStep?: (indices: Uint32Array, results: Results) => void;
  /** What to note of the clusters that it begins with. */
  readonly clusters?: Pick<HistoryEntry, "changed" | "metrics">;
  /** What the method needs, beside the network, to go on after this epoch. */
  readonly carried?: () => Vectors;
}

export interface Training {
  /** Unique within a run: what its checkpoints go by. */
  readonly name: string;
  /** What the order of images and the changes to them are drawn by. Default: the name. */
  readonly randomStream?: string;
  readonly stage: Stage;
  readonly epochs: number;
  readonly seed: number;
  /** Images per step. */
  readonly batch: number;
  /** Steps per epoch. Default: as many as see each image. */
  readonly batches?: number;
  /** Factor of the learning rate. Default: 1. */
  readonly rateScale?: (epoch: number) => number;
  /** How images are changed each time they are seen. Default: "none". */
  readonly augmentation?: Augmentation;
  /** The last epochs, so many of them, see images as they are. Default: 0. */
  readonly unaugmentedEpochs?: number;
  /** The training is part of a stage: epochs of that stage before it, and in all. */
  readonly within?: { readonly before: number; readonly total: number };
}

/** What is the same for all trainings of a run. */
export interface TrainingContext {
  readonly dataset: Images;
  readonly run: ResumableRun;
  readonly options: MethodOptions;
}

export class TrainingLoop {
  readonly #trainer: Trainer;
  readonly #training: Training;
  readonly #context: TrainingContext;
  /** What the method kept with the last epoch of an earlier process, if there was one. */
  readonly carried: Vectors | undefined;
  #done: number;

  /** Goes on from where an earlier process left it. */
  constructor(trainer: Trainer, training: Training, context: TrainingContext) {
    this.#trainer = trainer;
    this.#training = training;
    this.#context = context;
    const unfinished = context.run.unfinished(training.name);
    if (unfinished !== undefined) trainer.restore(unfinished.trainer);
    this.carried = unfinished?.carried;
    this.#done = unfinished?.epochs ?? 0;
  }

  /** The epoch that comes next, from 1; one more than there are when all are done. */
  get next(): number {
    return this.#done + 1;
  }

  get finished(): boolean {
    return this.#done >= this.#training.epochs;
  }

  /** The images that the next epoch sees. */
  drawn(): DrawnImages {
    const { dataset, options } = this.#context;
    const { name, randomStream: use = name, seed, batch, batches } = this.#training;
    const order = {
      seed,
      use,
      epoch: this.next,
      parts: partsOf(options),
      ...(batches === undefined ? {} : { batches }),
    };
    return new DrawnImages(dataset.count, drawnImages(dataset.count, partSize(batch, options), order));
  }

  /** The next epoch: mini-batches, each a step; then a note in the history, and a checkpoint. */
  async runEpoch(prepared: Epoch = {}): Promise<void> {
    this.#context.options.signal?.throwIfAborted();
    const epoch = this.next;
    const loss = await this.#miniBatches(epoch, prepared);
    this.#trainer.expectFinite();
    this.#trainer.align();
    this.#done = epoch;
    this.#note(epoch, loss, prepared);
    this.#context.run.save(this.#training.name, {
      epochs: epoch,
      trainer: this.#trainer.save(),
      carried: prepared.carried?.() ?? {},
    });
  }

  async #miniBatches(epoch: number, prepared: Epoch): Promise<number> {
    const { dataset, options } = this.#context;
    const { stage, batch, rateScale } = this.#training;
    const perStep = partSize(batch, options) * partsOf(options);
    const batches = this.#training.batches ?? Math.ceil(dataset.count / perStep);
    const readImages = reader(dataset);
    const drawn = ownParts(options).map((part) => this.#drawn(part, { epoch, batches, readImages }, prepared));
    let loss = 0;
    for (let done = 1; done <= batches; done++) {
      options.signal?.throwIfAborted();
      const parts = drawn.map((part) => nextOf(part));
      const results = await this.#trainer.advance(feedsOf(parts), rateScale?.(epoch));
      loss += expectFloats(results.loss)[0];
      prepared.onStep?.(parts[0].indices, results);
      options.onProgress?.({ kind: "batch", stage, ...this.#placeOf(epoch), done, total: batches, batch: perStep });
    }
    return loss / batches;
  }

  /** One part of every mini-batch of the epoch. */
  *#drawn(part: Part, { epoch, batches, readImages }: Drawing, { feeds, further }: Epoch): Generator<DrawnPart> {
    const { dataset, options } = this.#context;
    const { name, seed, batch, epochs, augmentation = "none" } = this.#training;
    const { randomStream: use = name, unaugmentedEpochs = 0 } = this.#training;
    const others = further?.(part)[Symbol.iterator]();
    const random = new Random(seed, partStream(`${use} augmentation, epoch ${epoch}`, part));
    const order = { seed, use, epoch, batches, part };
    for (const indices of shuffledBatches(dataset.count, partSize(batch, options), order)) {
      const also: Uint32Array = others?.next().value ?? nothing;
      const feed = (): Batch => {
        const images = readImages(indices, also);
        if (epoch <= epochs - unaugmentedEpochs) augment(images, dataset.image, augmentation, random);
        return { images, ...feeds?.(indices, also, part) };
      };
      yield { indices, feed };
    }
  }

  #note(number: number, loss: number, { clusters }: Epoch): void {
    const { stage } = this.#training;
    const { epoch, epochs } = this.#placeOf(number);
    this.#context.run.history.push({ stage, epoch, loss, ...clusters });
    const changed = clusters?.changed === undefined ? {} : { changed: clusters.changed };
    this.#context.options.onProgress?.({ kind: "epoch", stage, epoch, epochs, loss, ...changed });
  }

  #placeOf(epoch: number): { readonly epoch: number; readonly epochs: number } {
    const { within, epochs } = this.#training;
    return { epoch: (within?.before ?? 0) + epoch, epochs: within?.total ?? epochs };
  }
}

interface Drawing {
  readonly epoch: number;
  readonly batches: number;
  readonly readImages: ReadImages;
}

interface DrawnPart {
  readonly indices: Uint32Array;
  /** Reads its images. */
  readonly feed: () => Batch;
}

function nextOf(drawn: Generator<DrawnPart>): DrawnPart {
  const { value, done } = drawn.next();
  if (done) throw new Error("an epoch has more steps than were drawn");
  return value;
}

/** One after another, as each is asked for. */
function* feedsOf(parts: readonly DrawnPart[]): Generator<Batch> {
  for (const { feed } of parts) yield feed();
}

const nothing = new Uint32Array(0);

type ReadImages = (indices: Uint32Array, further: Uint32Array) => Float32Array;

/** Reads the images of a part, always into the same array. */
function reader(dataset: Images): ReadImages {
  const pixels = pixelCount(dataset.image);
  let images = new Float32Array(0);
  return (indices, further) => {
    const size = (indices.length + further.length) * pixels;
    if (images.length !== size) images = new Float32Array(size);
    const own = indices.length * pixels;
    dataset.read(indices, images.subarray(0, own));
    if (further.length > 0) dataset.read(further, images.subarray(own));
    return images;
  };
}
