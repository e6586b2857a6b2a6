/** Operators that move values around without changing them. */
import { elementCount, type Shape } from "../../engine/program.ts";
import { expectShapes, normalizeAxes, sameShape } from "../shape.ts";
import { differentiable, emit, emitMany, integers, type Tensor, view } from "../tensor.ts";

/** The same elements in another shape. A free dimension may appear once on each side. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  if (sameShape(x.shape, shape)) return x;
  const fixed = (s: Shape): number => elementCount(s.filter((d) => typeof d === "number"));
  const free = (s: Shape): string => s.filter((d) => typeof d === "string").join();
  expectShapes(
    fixed(x.shape) === fixed(shape) && free(x.shape) === free(shape),
    "Reshape",
    [x.shape, shape],
    "have different numbers of elements",
  );
  return differentiable(view(x, shape), [x], (dy) => [reshape(dy, x.shape)]);
}

/** The axes in another order: axis i of the result is axis `order[i]` of x. */
export function transpose(x: Tensor, order: readonly number[]): Tensor {
  const isPermutation = [...order].sort((a, b) => a - b).every((axis, index) => axis === index);
  expectShapes(
    isPermutation && order.length === x.shape.length,
    "Transpose",
    [x.shape, order],
    "is not a permutation of the axes",
  );
  const y = emit(
    "Transpose",
    [x],
    { type: x.type, shape: order.map((axis) => x.shape[axis]) },
    { attributes: { perm: order } },
  );
  return differentiable(y, [x], (dy) => [
    transpose(
      dy,
      order.map((_, axis) => order.indexOf(axis)),
    ),
  ]);
}

/** Consecutive pieces of `sizes` along `axis`. */
export function split(x: Tensor, sizes: readonly number[], axis: number): Tensor[] {
  const [along] = normalizeAxes("Split", x.shape, [axis]);
  const total = sizes.reduce((a, b) => a + b, 0);
  expectShapes(total === x.shape[along], "Split", [x.shape, sizes], `do not add up along axis ${along}`);
  const specs = sizes.map((size) => ({ type: x.type, shape: x.shape.with(along, size) }));
  const pieces = emitMany("Split", [x, integers(sizes)], specs, { attributes: { axis: along } });
  pieces.forEach((piece, index) => {
    const start = sizes.slice(0, index).reduce((a, b) => a + b, 0);
    differentiable(piece, [x], (dy) => [padAxis(dy, along, start, total - start - sizes[index])]);
  });
  return pieces;
}

/** The pieces joined along `axis`. */
export function concatenate(pieces: readonly Tensor[], axis: number): Tensor {
  const [first] = pieces;
  const [along] = normalizeAxes("Concat", first.shape, [axis]);
  for (const piece of pieces)
    expectShapes(
      sameShape(piece.shape.with(along, 0), first.shape.with(along, 0)),
      "Concat",
      [first.shape, piece.shape],
      `differ outside axis ${along}`,
    );
  const sizes = pieces.map((piece) => elementCount([piece.shape[along]]));
  const total = sizes.reduce((a, b) => a + b, 0);
  const y = emit(
    "Concat",
    pieces,
    { type: first.type, shape: first.shape.with(along, total) },
    { attributes: { axis: along } },
  );
  return differentiable(y, pieces, (dy) => split(dy, sizes, along));
}

/** The elements from `start` up to, not including, `end` along each given axis. */
export function slice(x: Tensor, ranges: readonly { axis: number; start: number; end: number }[]): Tensor {
  const shape = [...x.shape];
  for (const { axis, start, end } of ranges) {
    const size = x.shape[axis];
    expectShapes(
      typeof size === "number" && start >= 0 && start < end && end <= size,
      "Slice",
      [x.shape],
      `has no elements ${start} to ${end} on axis ${axis}`,
    );
    shape[axis] = end - start;
  }
  const y = emit(
    "Slice",
    [
      x,
      integers(ranges.map((range) => range.start)),
      integers(ranges.map((range) => range.end)),
      integers(ranges.map((range) => range.axis)),
    ],
    { type: x.type, shape },
  );
  return differentiable(y, [x], (dy) => [
    ranges.reduce(
      (padded, { axis, start, end }) => padAxis(padded, axis, start, elementCount([x.shape[axis]]) - end),
      dy,
    ),
  ]);
}

/** x with zeros before and after it along one axis. */
export function padAxis(x: Tensor, axis: number, before: number, after: number): Tensor {
  if (before === 0 && after === 0) return x;
  const size = elementCount([x.shape[axis]]);
  const rank = x.shape.length;
  const pads = Array.from({ length: 2 * rank }, (_, i) => (i === axis ? before : i === axis + rank ? after : 0));
  const y = emit("Pad", [x, integers(pads)], { type: x.type, shape: x.shape.with(axis, before + size + after) });
  return differentiable(y, [x], (dy) => [slice(dy, [{ axis, start: before, end: before + size }])]);
}
