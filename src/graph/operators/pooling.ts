/**
 * Max-pooling that keeps its switches (where each maximum was), and unpooling that puts values back there.
 *
 * The maps before pooling are sorted by position in the pooling window, [channels, phases, …] (see `convolution.ts`):
 * pooling is the maximum over the phases, and the switches are 1 at the phase of the maximum and 0 at the others.
 */
import { expectShapes } from "../shape.ts";
import { constant, differentiable, emit, type Tensor } from "../tensor.ts";
import { sum } from "./broadcasting.ts";
import { multiply, stepMask, subtract } from "./elementwise.ts";
import { reshape } from "./layout.ts";

export interface Pooled {
  /** [channels, …]: the phases are gone. */
  readonly values: Tensor;
  /** [channels, phases, …]: exactly one 1 per window, at the first of several equal maxima. */
  readonly switches: Tensor;
}

/** The maximum of each window. */
export function maxPool(x: Tensor): Pooled {
  const { values, switches } = largestPhase(x);
  differentiable(values, [x], (dy) => [maxUnpool(dy, switches)]);
  return { values, switches };
}

/** Each value at the phase of its switch, zeros at the others. */
export function maxUnpool(x: Tensor, switches: Tensor): Tensor {
  const [channels, ...rest] = x.shape;
  const y = multiply(reshape(x, [channels, 1, ...rest]), switches);
  return differentiable(y, [x], (dy) => [gatherSwitches(dy, switches)]);
}

/** The values of a map at its switches. */
export function gatherSwitches(x: Tensor, switches: Tensor): Tensor {
  const y = sum(multiply(x, switches), [1]);
  return differentiable(y, [x], (dy) => [maxUnpool(dy, switches)]);
}

/** `maxPool` without a gradient rule, for operators that pool and do more. */
export function largestPhase(x: Tensor): Pooled {
  const [channels, phases, ...rest] = x.shape.map(Number);
  expectShapes(rest.length > 0, "maxPool", [x.shape], "must be [channels, phases, …]");
  const length = rest.reduce((a, b) => a * b, 1);
  const windows = reshape(x, [channels, phases, length]);
  const values = emit(
    "ReduceMax",
    [windows],
    { type: x.type, shape: [channels, 1, length] },
    { attributes: { axes: [1], keepdims: 1 } },
  );
  const isLargest = stepMask(subtract(windows, values));
  return { values: reshape(values, [channels, ...rest]), switches: reshape(firstOnly(isLargest, phases), x.shape) };
}

/** Keeps only the first of several ones along axis 1: each less those before it, clipped at zero. */
function firstOnly(ones: Tensor, phases: number): Tensor {
  const lessEarlier = Float32Array.from({ length: phases * phases }, (_, index) => {
    const [row, column] = [Math.floor(index / phases), index % phases];
    return row === column ? 1 : column < row ? -1 : 0;
  });
  const product = emit("MatMul", [constant(lessEarlier, [1, phases, phases], "float32"), ones], ones);
  return emit("Relu", [product], ones);
}
