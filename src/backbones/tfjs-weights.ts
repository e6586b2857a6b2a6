/**
 * The weights of a TensorFlow.js model, layers or graph: `model.json` lists them in the order in which they follow one
 * another in the `.bin` files beside it.
 */
import { DamagedFileError } from "../files/errors.ts";
import type { Weight, Weights } from "./weights.ts";

interface ModelJson {
  readonly weightsManifest: readonly WeightsGroup[];
}

interface WeightsGroup {
  /** The .bin files, which are one when put together. */
  readonly paths: readonly string[];
  readonly weights: readonly { readonly name: string; readonly shape: readonly number[]; readonly dtype: string }[];
}

/** `files` are all files of the model by their path; `folder` is where `model.json` is among them. */
export function tfjsWeights(files: ReadonlyMap<string, Uint8Array>, folder: string): Weights {
  const fileNamed = (name: string): Uint8Array => {
    const content = files.get(`${folder}/${name}`);
    if (content === undefined) throw new DamagedFileError(`${folder}: ${name} is missing; fetch the package again`);
    return content;
  };
  // The package is pinned by its hash, so that what is in it is known.
  const model: ModelJson = JSON.parse(new TextDecoder().decode(fileNamed("model.json")));
  return new Map(model.weightsManifest.flatMap((group) => weightsOf(group, joined(group.paths.map(fileNamed)))));
}

const joined = (parts: readonly Uint8Array[]): ArrayBuffer => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all.buffer;
};

/** Of 32 bits each; integers, which are axes and shapes, are not wanted. */
function weightsOf({ weights }: WeightsGroup, bytes: ArrayBuffer): [string, Weight][] {
  let start = 0;
  return weights.flatMap(({ name, shape, dtype }): [string, Weight][] => {
    const length = shape.reduce((product, side) => product * side, 1);
    const values = new Float32Array(bytes, start, length);
    start += values.byteLength;
    return dtype === "float32" ? [[name, { shape, values }]] : [];
  });
}
