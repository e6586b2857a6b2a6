/**
 * Operations on long rows for which ONNX Runtime has no operator, each in one pass over memory instead of several.
 * A row is a channel. They have no gradient rules; the operators that use them do.
 */
import { emit, integers, type Tensor, view } from "../tensor.ts";

/** A row is cut into at most `mostPieces` for the threads to share, none shorter than `shortestPiece`. */
const mostPieces = 64;
const shortestPiece = 512;

/** Σ_l a[r,l] b[r,l] for each row: a product of pieces of rows, so that a·b is never written. */
export function dotRows(a: Tensor, b: Tensor): Tensor {
  const [rows, length] = a.shape.map(Number);
  const pieces = largestDivisor(length, Math.min(mostPieces, length / shortestPiece));
  const cut = [rows * pieces, 1, length / pieces];
  // The standard operator would take b as columns, for which the runtime's product is slower.
  const parts = emit(
    "FusedMatMul",
    [view(a, cut), view(b, cut)],
    { type: a.type, shape: [rows * pieces, 1, 1] },
    { attributes: { transB: 1 }, domain: "com.microsoft" },
  );
  return emit("ReduceSum", [view(parts, [rows, pieces]), integers([1])], { type: a.type, shape: [rows] }, keepNone);
}

interface ScaleOptions {
  /** Clip the result at zero. */
  readonly rectify?: boolean;
  /** A tensor of x's shape that is added to the result. */
  readonly plus?: Tensor;
}

/** x[r,l] scale[r] + shift[r], in one pass: a 1x1 convolution with one group per row. */
export function scaleRows(x: Tensor, scale: Tensor, shift: Tensor, { plus, rectify }: ScaleOptions = {}): Tensor {
  const [rows, length] = x.shape.map(Number);
  const columns = largestDivisor(length, 64);
  const image = { type: x.type, shape: [1, rows, length / columns, columns] };
  const inputs = [view(x, image.shape), view(scale, [rows, 1, 1, 1]), shift];
  if (plus !== undefined) inputs.push(view(plus, image.shape));
  const activation = rectify === true ? { activation: "Relu" } : {};
  const y = emit("FusedConv", inputs, image, {
    attributes: { kernel_shape: [1, 1], group: rows, ...activation },
    domain: "com.microsoft",
  });
  return view(y, x.shape);
}

const keepNone = { attributes: { keepdims: 0 } };

/** The largest power of two up to `most` that divides `length`. */
function largestDivisor(length: number, most: number): number {
  let divisor = 1;
  while (2 * divisor <= most && length % (2 * divisor) === 0) divisor *= 2;
  return divisor;
}
