/** The model of a run by itself, and what somebody needs to know who runs it elsewhere. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, writeFileAtomically } from "../files/atomic.ts";
import { fileError } from "../files/errors.ts";
import type { Fit } from "../images/sources/decode.ts";
import { featureSize } from "../network/shapes.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { runFit } from "./run-contents.ts";

/** Copies the model of the run in `folder` to a file. */
export function exportOnnx(folder: string, path: string): void {
  const model = readModel(join(folder, "model.onnx"));
  makeFolder(dirname(path));
  writeFileAtomically(path, model);
}

function readModel(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** Each way to bring an image to a size, in words and in Pillow's. */
const fitting: Readonly<Record<Fit, { readonly words: string; readonly pillow: (size: string) => string }>> = {
  cover: { words: "what is too long is cut off, evenly", pillow: (size) => `ImageOps.fit(image, ${size})` },
  contain: { words: "between white bars", pillow: (size) => `ImageOps.pad(image, ${size}, color="white")` },
  fill: { words: "stretched", pillow: (size) => `image.resize(${size})` },
};

/** Inputs, outputs and preprocessing of a run's model, and an example in Python. */
export function describeOnnx({ architecture, k, settings }: RunRecord, path: string): string {
  const { channels, height, width } = architecture.image;
  const grey = channels === 1;
  const { words, pillow } = fitting[runFit(settings)];
  return `input    images    float32 [batch, ${channels}, ${height}, ${width}]
outputs  features  float32 [batch, ${featureSize(architecture)}]
         scores    float32 [batch, ${k}], one a cluster, which add up to 1
before   resize to ${height}x${width} (${words}), ${grey ? "grey" : "RGB"}, divide by 255

In Python, with onnxruntime and pillow:

import numpy, onnxruntime
from PIL import Image, ImageOps

image = Image.open("image.png").convert("${grey ? "L" : "RGB"}")
pixels = numpy.asarray(${pillow(`(${width}, ${height})`)}, numpy.float32) / 255
images = pixels${grey ? "[None, None]" : ".transpose(2, 0, 1)[None]"}
model = onnxruntime.InferenceSession(${JSON.stringify(path)})
features, scores = model.run(["features", "scores"], {"images": images})
print("cluster", scores[0].argmax())`;
}
