/** Means and sums of squares over axes; the plain sum is in `broadcasting.ts`. */
import { elementCount } from "../../engine/program.ts";
import { expectShapes, normalizeAxes } from "../shape.ts";
import { differentiable, emit, type Tensor } from "../tensor.ts";
import { allAxes, droppedShape, expand, keptShape } from "./broadcasting.ts";
import { multiply } from "./elementwise.ts";
import { reshape } from "./layout.ts";

/** The mean over `axes` (default: all), which are dropped; their sizes must be fixed. */
export function mean(x: Tensor, axes: readonly number[] = allAxes(x)): Tensor {
  const over = normalizeAxes("ReduceMean", x.shape, axes);
  const count = elementCount(over.map((axis) => x.shape[axis]));
  const y = emit(
    "ReduceMean",
    [x],
    { type: x.type, shape: droppedShape(x.shape, over) },
    { attributes: { axes: over, keepdims: 0 } },
  );
  return differentiable(y, [x], (dy) => [expand(reshape(multiply(dy, 1 / count), keptShape(x.shape, over)), x.shape)]);
}

/** The sum of squares over `axes`, which are dropped. */
export function sumSquare(x: Tensor, axes: readonly number[] = allAxes(x)): Tensor {
  const over = normalizeAxes("ReduceSumSquare", x.shape, axes);
  const y = emit(
    "ReduceSumSquare",
    [x],
    { type: x.type, shape: droppedShape(x.shape, over) },
    { attributes: { axes: over, keepdims: 0 } },
  );
  return differentiable(y, [x], (dy) => [multiply(reshape(multiply(dy, 2), keptShape(x.shape, over)), x)]);
}

/** The smallest value of each row of a matrix, as a column; it has no gradient. */
export function smallestOfRow(x: Tensor): Tensor {
  expectShapes(x.shape.length === 2, "ReduceMin", [x.shape], "must be a matrix");
  return emit("ReduceMin", [x], { type: x.type, shape: [x.shape[0], 1] }, { attributes: { axes: [1], keepdims: 1 } });
}
