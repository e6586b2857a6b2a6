/**
 * Max-pooling that keeps its switches (where each maximum was), and unpooling that puts values back there.
 *
 * Unpooling scatters to the switches and its gradient gathers from them; pooling's gradient is unpooling.
 */
import { elementCount, type Shape } from "../../engine/program.ts";
import { expectShapes, mapSizes, sameShape } from "../shape.ts";
import { differentiable, emit, emitMany, type Tensor } from "../tensor.ts";
import { reshape } from "./layout.ts";

export interface Pooled {
  readonly values: Tensor;
  /** For each value, the position of the maximum in the flattened input: the first one where several are equal. */
  readonly switches: Tensor;
}

/** The maximum of each window of `size` (height, width); windows do not overlap and must fill the map. */
export function maxPool(x: Tensor, size: readonly [number, number]): Pooled {
  const [channels, height, width, batch] = mapSizes("MaxPool", x);
  expectShapes(
    height % size[0] === 0 && width % size[1] === 0,
    "MaxPool",
    [x.shape, size],
    "windows do not fill the map",
  );
  const shape = [channels, height / size[0], width / size[1], batch];
  const window = [...size, 1];
  const [values, switches] = emitMany(
    "MaxPool",
    [reshape(x, [1, ...x.shape])],
    [
      { type: x.type, shape: [1, ...shape] },
      { type: "int64", shape: [1, ...shape] },
    ],
    { attributes: { kernel_shape: window, strides: window } },
  );
  const y = reshape(values, shape);
  const where = reshape(switches, shape);
  differentiable(y, [x], (dy) => [maxUnpool(dy, where, x.shape)]);
  return { values: y, switches: where };
}

/** A map of `shape` that holds each value of x at its switch, and zeros elsewhere. */
export function maxUnpool(x: Tensor, switches: Tensor, shape: Shape): Tensor {
  expectShapes(
    sameShape(x.shape, switches.shape),
    "MaxUnpool",
    [x.shape, switches.shape],
    "values and switches differ",
  );
  const [, height, width] = mapSizes("MaxUnpool", x);
  const window = [Number(shape[1]) / height, Number(shape[2]) / width, 1];
  expectShapes(
    window.every(Number.isInteger),
    "MaxUnpool",
    [x.shape, shape],
    "the larger map is no multiple of the smaller",
  );
  const y = emit(
    "MaxUnpool",
    [reshape(x, [1, ...x.shape]), reshape(switches, [1, ...x.shape])],
    { type: x.type, shape: [1, ...shape] },
    { attributes: { kernel_shape: window, strides: window } },
  );
  return differentiable(reshape(y, shape), [x], (dy) => [gatherSwitches(dy, switches)]);
}

/** The values of a map at the switches. */
export function gatherSwitches(x: Tensor, switches: Tensor): Tensor {
  const y = emit("Gather", [reshape(x, [elementCount(x.shape)]), switches], { type: x.type, shape: switches.shape });
  return differentiable(y, [x], (dy) => [maxUnpool(dy, switches, x.shape)]);
}
