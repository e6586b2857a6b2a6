/**
 * MobileNet V1: one convolution, then thirteen pairs of a depthwise and a pointwise one. Howard et al., "MobileNets:
 * Efficient Convolutional Neural Networks for Mobile Vision Applications", 2017.
 */
import type { Program } from "../engine/program.ts";
import { type Convolution, centredPhotographs, convolve, pooledProgram, relu6 } from "./layers.ts";
import { transposed, type Weight, type Weights, weightNamed } from "./weights.ts";

/** Of the thirteen depthwise convolutions. */
const strides = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1];

/** How a file names the weights of a layer, and in which order it keeps the axes of kernels. */
export interface MobileNetLayout {
  kernelName(layer: string, depthwise: boolean): string;
  biasName(layer: string, depthwise: boolean): string;
  /** From the file's kernel to [out, in, height, width]. */
  readonly axes: readonly number[];
  /** From the file's depthwise kernel to [channels, 1, height, width]. */
  readonly depthwiseAxes: readonly number[];
}

/** TensorFlow Lite: [out, height, width, in], and [1, height, width, channels]. */
export const tfliteLayout: MobileNetLayout = {
  kernelName: (layer, depthwise) => `MobilenetV1/${layer}/${depthwise ? "depthwise_" : ""}weights`,
  biasName: (layer, depthwise) =>
    `MobilenetV1/${layer === logitsLayer ? "" : "MobilenetV1/"}${layer}/${depthwise ? "depthwise" : "convolution"}_bias`,
  axes: [0, 3, 1, 2],
  depthwiseAxes: [3, 0, 1, 2],
};

/** A module of TensorFlow Hub in TensorFlow.js: [height, width, in, out], and [height, width, channels, 1]. */
export const tfjsLayout: MobileNetLayout = {
  kernelName: (layer, depthwise) =>
    layer === logitsLayer
      ? `${hubLogits}/weights`
      : `${hubLayers}/${layer}/${depthwise ? "depthwise" : "Conv2D"}_weights`,
  biasName: (layer, depthwise) =>
    layer === logitsLayer
      ? `${hubLogits}/biases`
      : `${hubLayers}/${layer}/${depthwise ? "depthwise" : "Conv2D"}_bn_offset`,
  axes: [3, 2, 0, 1],
  depthwiseAxes: [2, 3, 0, 1],
};

const logitsLayer = "Logits/Conv2d_1c_1x1";
const hubLayers = "module_apply_default/MobilenetV1/MobilenetV1";
const hubLogits = `module/MobilenetV1/${logitsLayer}`;

export function mobileNet(weights: Weights, layout: MobileNetLayout, metadata: Record<string, string>): Program {
  const layer = (name: string, depthwise = false): Convolution => ({
    kernel: transposed(
      weightNamed(weights, layout.kernelName(name, depthwise)),
      depthwise ? layout.depthwiseAxes : layout.axes,
    ),
    bias: weightNamed(weights, layout.biasName(name, depthwise)).values,
  });
  // It was trained on numbers from -1 to 1, which are 2 (x - 0.5).
  const first = layer("Conv2d_0");
  const doubled = { ...first, kernel: { ...first.kernel, values: first.kernel.values.map((value) => 2 * value) } };
  const centred = centredPhotographs([0.5, 0.5, 0.5]);
  let map = relu6(convolve(centred, doubled, { stride: 2, padding: "same" }));
  strides.forEach((stride, index) => {
    const name = `Conv2d_${index + 1}`;
    const depthwise = layer(`${name}_depthwise`, true);
    map = relu6(convolve(map, depthwise, { stride, padding: "same", depthwise: true }));
    map = relu6(convolve(map, layer(`${name}_pointwise`), { padding: "same" }));
  });
  const { kernel, bias } = layer(logitsLayer);
  return pooledProgram(map, { matrix: withoutBackground(kernel), bias: bias.slice(1) }, metadata);
}

/** Its first class is none of ImageNet's. */
function withoutBackground({ shape: [classes, features], values }: Weight): Weight {
  return { shape: [classes - 1, features], values: values.slice(features) };
}
