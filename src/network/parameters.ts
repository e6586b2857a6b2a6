/**
 * All parameters of a network live in one flat vector. An optimizer is then a handful of nodes instead of a
 * handful per parameter, a checkpoint is one buffer, and a reduction over machines is one call.
 */
import { InputError } from "../files/errors.ts";
import { reshape, split } from "../graph/operators/layout.ts";
import type { Tensor } from "../graph/tensor.ts";
import { Random } from "../numeric/random.ts";

export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  /** Start from a constant, or uniformly from −bound to bound. */
  readonly initial: { readonly value: number } | { readonly bound: number };
}

export const parameterSize = ({ shape }: ParameterSpec): number => shape.reduce((a, b) => a * b, 1);

export const totalSize = (specs: readonly ParameterSpec[]): number =>
  specs.reduce((total, spec) => total + parameterSize(spec), 0);

/** The symbolic vector cut into its parameters, by name. */
export function splitParameters(flat: Tensor, specs: readonly ParameterSpec[]): ReadonlyMap<string, Tensor> {
  const pieces = split(flat, specs.map(parameterSize), 0);
  return new Map(specs.map((spec, index) => [spec.name, reshape(pieces[index], spec.shape)]));
}

/** A view of one parameter within a vector of values. */
export function parameterView(values: Float32Array, specs: readonly ParameterSpec[], name: string): Float32Array {
  let offset = 0;
  for (const spec of specs) {
    const size = parameterSize(spec);
    if (spec.name === name) return values.subarray(offset, offset + size);
    offset += size;
  }
  throw new InputError(`there is no parameter "${name}"; there are: ${specs.map((spec) => spec.name).join(", ")}`);
}

/** Initial values. Each parameter draws from a stream of its own, so that adding one changes no other. */
export function initialValues(specs: readonly ParameterSpec[], seed: number): Float32Array {
  const values = new Float32Array(totalSize(specs));
  for (const { name, initial } of specs) {
    const view = parameterView(values, specs, name);
    if ("value" in initial) view.fill(initial.value);
    else {
      const random = new Random(seed, `initial ${name}`);
      for (let i = 0; i < view.length; i++) view[i] = (2 * random.uniform() - 1) * initial.bound;
    }
  }
  return values;
}

/** He's bound for layers followed by a ReLU: uniform values of variance 2 / fan-in. */
export const heBound = (fanIn: number): number => Math.sqrt(6 / fanIn);
