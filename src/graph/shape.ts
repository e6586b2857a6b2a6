/** Shape arithmetic. Every operator checks its shapes here or with `expectShapes`, while the graph is built. */
import { type Dimension, formatShape, type Shape } from "../engine/program.ts";
import { InputError } from "../files/errors.ts";
import type { Tensor } from "./tensor.ts";

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dimension, axis) => dimension === b[axis]);
}

/** Throws, naming the operator and the shapes, unless `condition` holds. */
export function expectShapes(
  condition: boolean,
  operator: string,
  shapes: readonly Shape[],
  rule: string,
): asserts condition {
  if (!condition) throw new InputError(`${operator}: ${shapes.map(formatShape).join(" and ")}: ${rule}`);
}

/** The shape of an elementwise result, by ONNX's (NumPy's) rules of broadcasting. */
export function broadcastShapes(operator: string, a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  const at = (shape: Shape, axis: number): Dimension => shape[axis - rank + shape.length] ?? 1;
  return Array.from({ length: rank }, (_, axis) => {
    const [left, right] = [at(a, axis), at(b, axis)];
    expectShapes(left === right || left === 1 || right === 1, operator, [a, b], "do not broadcast to one shape");
    return left === 1 ? right : left;
  });
}

/** The axes along which a tensor of shape `from` was repeated to get the shape `to`. */
export function broadcastAxes(from: Shape, to: Shape): number[] {
  const added = to.length - from.length;
  return to.flatMap((dimension, axis) => (axis < added || from[axis - added] !== dimension ? [axis] : []));
}

/** Axes as non-negative numbers; negative ones count from the end. */
export function normalizeAxes(operator: string, shape: Shape, axes: readonly number[]): number[] {
  return axes.map((axis) => {
    const positive = axis < 0 ? axis + shape.length : axis;
    expectShapes(positive >= 0 && positive < shape.length, operator, [shape], `has no axis ${axis}`);
    return positive;
  });
}

/** The sizes of a batch of feature maps [channels, height, width, batch]. */
export function mapSizes(
  operator: string,
  x: Tensor,
): [channels: number, height: number, width: number, batch: number] {
  const [channels, height, width, batch] = x.shape.map(Number);
  expectShapes(
    x.shape.length === 4 && x.shape.every((dimension) => typeof dimension === "number"),
    operator,
    [x.shape],
    "must be [channels, height, width, batch]",
  );
  return [channels, height, width, batch];
}
