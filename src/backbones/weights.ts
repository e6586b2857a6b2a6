/** The weights of a network as its file has them: tensors by name. */
import { DamagedFileError } from "../files/errors.ts";

export interface Weight {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export type Weights = ReadonlyMap<string, Weight>;

export function weightNamed(weights: Weights, name: string): Weight {
  const weight = weights.get(name);
  if (weight === undefined)
    throw new DamagedFileError(`the network has no weights "${name}"; it is not the one we know`);
  return weight;
}

/**
 * Axis i of the result is axis `axes[i]` of the weight. Others keep kernels as [height, width, in, out]; ONNX wants
 * [out, in, height, width].
 */
export function transposed({ shape, values }: Weight, axes: readonly number[]): Weight {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, side) => product * side, 1));
  const target = axes.map((axis) => shape[axis]);
  const result = new Float32Array(values.length);
  const place = axes.map(() => 0);
  let from = 0;
  for (let to = 0; to < result.length; to++) {
    result[to] = values[from];
    for (let axis = axes.length - 1; axis >= 0; axis--) {
      from += strides[axes[axis]];
      if (++place[axis] < target[axis]) break;
      from -= strides[axes[axis]] * target[axis];
      place[axis] = 0;
    }
  }
  return { shape: target, values: result };
}
