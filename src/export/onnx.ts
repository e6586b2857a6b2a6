/** The model of a run by itself, and what somebody needs to know who runs it elsewhere. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, writeFileAtomically } from "../files/atomic.ts";
import { fileError } from "../files/errors.ts";
import { featureSize } from "../network/shapes.ts";
import { modelInput } from "../runs/model-input.ts";
import type { RunRecord } from "../runs/run-record.ts";

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

/** Inputs, outputs and preprocessing of a run's model, and an example in Python. */
export function describeOnnx(record: RunRecord, path: string): string {
  const { architecture, k } = record;
  const { settings, things, words, imports, python } = modelInput(record);
  const { channels, height, width } = settings.image;
  return `input    images    float32 [batch, ${channels}, ${height}, ${width}]
outputs  features  float32 [batch, ${featureSize(architecture)}]
         scores    float32 [batch, ${k}], one a cluster, which add up to 1
before   ${words}

In Python, with onnxruntime${things === "images" ? " and pillow" : ""}:

import onnxruntime
${imports}

${python(things === "images" ? "image.png" : "vectors.npy")}
model = onnxruntime.InferenceSession(${JSON.stringify(path)})
features, scores = model.run(["features", "scores"], {"images": images})
print("cluster", *scores.argmax(axis=1))`;
}
