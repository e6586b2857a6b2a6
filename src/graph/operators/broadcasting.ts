/** Repeating values along axes and adding them up along axes: each is the gradient of the other. */
import { elementCount, type Shape } from "../../engine/program.ts";
import { broadcastAxes, normalizeAxes, sameShape } from "../shape.ts";
import { constant, differentiable, emit, integers, type Tensor } from "../tensor.ts";
import { reshape } from "./layout.ts";

export const allAxes = (x: Tensor): number[] => x.shape.map((_, axis) => axis);

/** The shape with `axes` kept as ones, so that a reduced value broadcasts back. */
export const keptShape = (shape: Shape, axes: readonly number[]): Shape =>
  shape.map((dimension, axis) => (axes.includes(axis) ? 1 : dimension));

export const droppedShape = (shape: Shape, axes: readonly number[]): Shape =>
  shape.filter((_, axis) => !axes.includes(axis));

/** The sum over `axes` (default: all), which are dropped. */
export function sum(x: Tensor, axes: readonly number[] = allAxes(x)): Tensor {
  const over = normalizeAxes("ReduceSum", x.shape, axes);
  if (over.length === 0) return x;
  const shape = droppedShape(x.shape, over);
  const y = emit("ReduceSum", [x, integers(over)], { type: x.type, shape }, { attributes: { keepdims: 0 } });
  return differentiable(y, [x], (dy) => [expand(reshape(dy, keptShape(x.shape, over)), x.shape)]);
}

/** x repeated to `shape`, by the rules of broadcasting. */
export function expand(x: Tensor, shape: Shape): Tensor {
  if (sameShape(x.shape, shape)) return x;
  const target = integers(shape.map((dimension) => elementCount([dimension])));
  const y = emit("Expand", [x, target], { type: x.type, shape });
  return differentiable(y, [x], (dy) => [unbroadcast(dy, x)]);
}

/** Adds up a gradient over the axes along which its tensor was repeated. */
export function unbroadcast(dy: Tensor, like: Tensor): Tensor {
  if (sameShape(dy.shape, like.shape)) return dy;
  return reshape(sum(dy, broadcastAxes(like.shape, dy.shape)), like.shape);
}

export function zerosLike(x: Tensor): Tensor {
  const ones = x.shape.map(() => 1);
  return expand(constant(new Float32Array(1), ones, "float32"), x.shape);
}
