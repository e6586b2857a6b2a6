/** How long each method trains in a benchmark. */
import type { ImageSize } from "../images/image.ts";
import type { Method, MethodOptions } from "../methods/method.ts";
import { type MethodName, methods } from "../methods/methods.ts";

/** "paper": as the method's authors train it; "quick": shorter, for a first impression. */
export const efforts = ["quick", "paper"] as const;
export type Effort = (typeof efforts)[number];

/** The facts that a schedule may depend on. */
export interface ImageCollection {
  readonly count: number;
  readonly image: ImageSize;
}

type OptionsOf<Name extends MethodName> = (typeof methods)[Name] extends Method<infer Options> ? Options : never;

type Schedules = { readonly [Name in MethodName]: Readonly<Record<Effort, Partial<OptionsOf<Name>>>> };

/** Images per step, as the authors of the dense methods have it. */
const batch = 256;

/** The number of epochs with at least `iterations` steps of `batch` images. */
const epochsOf = (iterations: number, { count }: ImageCollection): number =>
  Math.ceil(iterations / Math.ceil(count / batch));

/** DEC's dense auto-encoder: 50,000 iterations per layer, 100,000 for the whole, a lower rate every 20,000. */
const decPretraining = (images: ImageCollection) => ({
  batch,
  layerEpochs: epochsOf(50_000, images),
  pretrainEpochs: epochsOf(100_000, images),
  decayEvery: epochsOf(20_000, images),
});

/** A fraction of a dense method's default schedule; smaller where images are large and steps slow. */
const shortDense = (images: ImageCollection) => ({
  batch,
  layerEpochs: Math.max(5, epochsOf(isLarge(images) ? 60 : 500, images)),
  pretrainEpochs: Math.max(30, epochsOf(isLarge(images) ? 200 : 2000, images)),
});

const isLarge = ({ image: { height, width } }: ImageCollection): boolean => height * width > 64 * 64;

const shortFcae = (images: ImageCollection): number => (isLarge(images) ? 4 : 10);

/** {} stands for the method's defaults. */
const schedulesFor = (images: ImageCollection): Schedules => ({
  kms: { paper: {}, quick: isLarge(images) ? { restarts: 2 } : {} },
  "dae-kms": { paper: decPretraining(images), quick: shortDense(images) },
  aec: {
    paper: { batch, layerEpochs: 10, pretrainEpochs: 200, epochs: 60 },
    quick: { ...shortDense(images), epochs: Math.max(20, epochsOf(1000, images)) },
  },
  iec: { paper: { partitions: 100 }, quick: {} },
  dec: { paper: { ...decPretraining(images), epochs: 100 }, quick: { ...shortDense(images), epochs: 50 } },
  den: {
    paper: {
      batch,
      layerEpochs: Math.max(10, epochsOf(500, images)),
      pretrainEpochs: Math.max(50, epochsOf(2000, images)),
      epochs: Math.max(50, epochsOf(2000, images)),
    },
    quick: { ...shortDense(images), epochs: isLarge(images) ? 12 : Math.max(20, epochsOf(600, images)) },
  },
  dcn: {
    paper: { batch, layerEpochs: 250, pretrainEpochs: 250, epochs: 50 },
    quick: { ...shortDense(images), epochs: Math.max(10, epochsOf(1000, images)) },
  },
  "fcae-kms": { paper: {}, quick: { pretrainEpochs: shortFcae(images) } },
  dbc: {
    paper: { preset: "paper" },
    quick: { preset: "paper", pretrainEpochs: shortFcae(images), epochs: shortFcae(images) },
  },
});

/** The options of a method for these images; an unknown method has its defaults. */
export function scheduleOf(method: string, effort: Effort, images: ImageCollection): Partial<MethodOptions> {
  return isKnown(method) ? schedulesFor(images)[method][effort] : {};
}

const isKnown = (method: string): method is MethodName => Object.hasOwn(methods, method);
