/**
 * Greedy layer-wise training of a deep auto-encoder (Bengio et al. 2007, Vincent et al. 2010): each layer is the only
 * one of an auto-encoder that restores, from a corrupted version, what the layers before it give.
 */
import type { Images } from "../../images/dataset.ts";
import type { Architecture, Layer } from "../../network/architecture.ts";
import { decoderParameters, encoderParameters } from "../../network/layers.ts";
import type { OptimizerOptions } from "../../network/optimizer.ts";
import { parameterView, totalSize } from "../../network/parameters.ts";
import { gatherRows } from "../../numeric/matrix.ts";
import type { MethodOptions } from "../method.ts";
import { trainAutoEncoder } from "../training/auto-encoder.ts";
import { featuresOf } from "../training/features.ts";
import type { ResumableRun, Vectors } from "../training/resumable-run.ts";
import type { TrainingContext } from "../training/training-loop.ts";

export interface LayerWiseTraining {
  /** Of each layer. */
  readonly epochs: number;
  readonly seed: number;
  readonly batch: number;
  /** The share of inputs, and of outputs, of a layer that are set to zero at random. */
  readonly corruption: number;
  readonly optimizer: OptimizerOptions;
  readonly rateScale?: (epoch: number) => number;
}

/** Parameters of encoder, then decoder, to go on from with all layers at once. For networks without pooling. */
export async function trainLayers(
  architecture: Architecture,
  training: LayerWiseTraining,
  { dataset, run, options }: TrainingContext,
): Promise<Float32Array> {
  const specs = [...encoderParameters(architecture), ...decoderParameters(architecture)];
  const whole = new Float32Array(totalSize(specs));
  const { layers } = architecture;
  let images = dataset;
  for (const [index, layer] of layers.entries()) {
    const single = singleLayer(architecture, index, images);
    const within = { before: index * training.epochs, total: layers.length * training.epochs };
    const trained = await run.once(workOf(layer), async () => ({
      ...(await trainAutoEncoder(
        single,
        { ...training, name: `${workOf(layer)} training`, stage: "layers", within },
        { dataset: images, run, options },
      )),
    }));
    copyByName(trained, single, { whole, specs });
    if (index + 1 < layers.length) images = await layerOutputs(images, single, trained, options);
  }
  return whole;
}

const workOf = ({ name }: Layer): string => `layer ${name}`;

/** What the layers left is in the network that was trained from them. */
export const forgetLayers = ({ layers }: Architecture, run: ResumableRun): void => run.forget(layers.map(workOf));

/** An auto-encoder of one layer; what it restores was activated by the layer before. */
function singleLayer({ layers, scale, outputActivation = "linear" }: Architecture, index: number, { image }: Images) {
  const before = layers[index - 1];
  const single: Architecture = {
    name: layers[index].name,
    image,
    layers: [layers[index]],
    outputActivation: before?.kind === "convolution" ? before.activation : outputActivation,
    ...(index === 0 && scale !== undefined ? { scale } : {}),
  };
  return single;
}

interface Whole {
  readonly whole: Float32Array;
  readonly specs: ReturnType<typeof encoderParameters>;
}

function copyByName({ parameters }: Vectors, single: Architecture, { whole, specs }: Whole): void {
  const own = [...encoderParameters(single), ...decoderParameters(single)];
  for (const { name } of own) parameterView(whole, specs, name).set(parameterView(parameters, own, name));
}

/** What a layer gives, as the images of the next. */
async function layerOutputs(
  dataset: Images,
  single: Architecture,
  { parameters, statistics }: Vectors,
  options: MethodOptions,
): Promise<Images> {
  const { name, origin, count, fingerprint } = dataset;
  const features = await featuresOf(dataset, single, { parameters, statistics }, options);
  const size = features.columns;
  return {
    name,
    origin,
    count,
    fingerprint,
    image: { channels: size, height: 1, width: 1 },
    skipped: [],
    itemName: String,
    close() {},
    read(indices, target) {
      gatherRows(features.values, size, indices, target);
    },
  };
}
