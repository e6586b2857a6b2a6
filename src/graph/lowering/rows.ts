/**
 * Passes over long rows that ONNX Runtime has no operator for, each in one sweep over memory instead of several.
 * A row is a channel. These have no gradient rules: they serve operators that have.
 */
import { emit, integers, type Tensor } from "../tensor.ts";

/** Pieces of a row, for the threads to share. */
const mostPieces = 64;

/** Σ_l a[r,l] b[r,l] for each row: a product of row pieces with column pieces, so that a·b is never written. */
export function dotRows(a: Tensor, b: Tensor): Tensor {
  const [rows, length] = a.shape.map(Number);
  const pieces = largestDivisor(length, mostPieces);
  const parts = emit(
    "MatMul",
    [view(a, [rows * pieces, 1, length / pieces]), view(b, [rows * pieces, length / pieces, 1])],
    { type: a.type, shape: [rows * pieces, 1, 1] },
  );
  return emit("ReduceSum", [view(parts, [rows, pieces]), integers([1])], { type: a.type, shape: [rows] }, keepNone);
}

/** x[r,l] scale[r] + shift[r]: a convolution of 1x1 with a group a row, with which the runtime fuses what follows. */
export function scaleRows(x: Tensor, scale: Tensor, shift: Tensor): Tensor {
  const [rows, length] = x.shape.map(Number);
  const columns = largestDivisor(length, mostPieces);
  const image = view(x, [1, rows, length / columns, columns]);
  const y = emit("Conv", [image, view(scale, [rows, 1, 1, 1]), shift], image, {
    attributes: { kernel_shape: [1, 1], group: rows },
  });
  return view(y, [rows, length]);
}

const keepNone = { attributes: { keepdims: 0 } };

const view = (x: Tensor, shape: readonly number[]): Tensor =>
  emit("Reshape", [x, integers(shape)], { type: x.type, shape });

/** The largest power of two up to `most` that divides `length`. */
function largestDivisor(length: number, most: number): number {
  let divisor = 1;
  while (divisor < most && length % (2 * divisor) === 0) divisor *= 2;
  return divisor;
}
