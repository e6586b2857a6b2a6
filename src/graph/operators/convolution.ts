/**
 * Convolution, transposed convolution and the correlation that is the weight gradient of both.
 *
 * With w of shape [small, large, height, width], these three are the gradients of one another:
 *   convolve:          map of `large` channels, w          → map of `small` channels
 *   convolveTranspose: map of `small` channels, w          → map of `large` channels
 *   correlate:         large map, small map                → w
 * Each is bilinear, so the gradients of each are the other two. How each is computed is in `../lowering`.
 */
import { convolveDilated, correlateByPatches, flipKernel } from "../lowering/convolution.ts";
import { expectShapes, mapSizes } from "../shape.ts";
import { differentiable, type Tensor } from "../tensor.ts";
import { reshape } from "./layout.ts";
import { matmul } from "./product.ts";

/** Zeros around the map: rows above and below, columns left and right. */
export type Padding = readonly [number, number];

/** The correlation of each image with each filter: y[o] = Σ_c x[c] ⋆ w[o,c]. */
export function convolve(x: Tensor, w: Tensor, padding: Padding = [0, 0]): Tensor {
  const [channels, height, width, batch] = mapSizes("convolve", x);
  const [filters, depth, rows, columns] = kernelSizes("convolve", w);
  expectShapes(channels === depth, "convolve", [x.shape, w.shape], "have different numbers of channels");
  const size = [height + 2 * padding[0] - rows + 1, width + 2 * padding[1] - columns + 1];
  expectShapes(Math.min(...size) > 0, "convolve", [x.shape, w.shape], "the kernel is larger than the map");
  const shape = [filters, ...size, batch];
  const y = coversMap(shape, padding)
    ? reshape(matmul(kernelMatrix(w), columnMatrix(x)), shape)
    : convolveDilated(x, w, padding);
  return differentiable(y, [x, w], (dy) => [convolveTranspose(dy, w, padding), correlate(x, dy, padding)]);
}

/** The transpose of `convolve` as a linear map of x: what that takes from a place, this gives back there. */
export function convolveTranspose(x: Tensor, w: Tensor, padding: Padding = [0, 0]): Tensor {
  const [channels, height, width, batch] = mapSizes("convolveTranspose", x);
  const [filters, depth, rows, columns] = kernelSizes("convolveTranspose", w);
  expectShapes(channels === filters, "convolveTranspose", [x.shape, w.shape], "have different numbers of channels");
  const size = [height - 2 * padding[0] + rows - 1, width - 2 * padding[1] + columns - 1];
  expectShapes(Math.min(...size) > 0, "convolveTranspose", [x.shape, w.shape], "the padding is larger than the map");
  const y = coversMap(x.shape, padding)
    ? reshape(matmul(kernelMatrix(w), columnMatrix(x), { left: true }), [depth, ...size, batch])
    : convolveDilated(x, flipKernel(w), [rows - 1 - padding[0], columns - 1 - padding[1]]);
  return differentiable(y, [x, w], (dy) => [convolve(dy, w, padding), correlate(dy, x, padding)]);
}

/** w[o,c] = Σ_n large[c,·,·,n] ⋆ small[o,·,·,n], for every shift at which the smaller map lies within the padded larger. */
export function correlate(large: Tensor, small: Tensor, padding: Padding): Tensor {
  const [channels, height, width, batch] = mapSizes("correlate", large);
  const [filters, rows, columns, batchToo] = mapSizes("correlate", small);
  const kernel = [height + 2 * padding[0] - rows + 1, width + 2 * padding[1] - columns + 1];
  expectShapes(batch === batchToo, "correlate", [large.shape, small.shape], "are of different batches");
  expectShapes(Math.min(...kernel) > 0, "correlate", [large.shape, small.shape], "the smaller map is larger");
  const y = coversMap(small.shape, padding)
    ? reshape(matmul(columnMatrix(small), columnMatrix(large), { right: true }), [filters, channels, ...kernel])
    : correlateByPatches(large, small, padding);
  return differentiable(y, [large, small], (dw) => [
    convolveTranspose(small, dw, padding),
    convolve(large, dw, padding),
  ]);
}

/** Whether the kernel covers its whole input, so that convolution is a matrix product. */
const coversMap = (small: Tensor["shape"], padding: Padding): boolean =>
  small[1] === 1 && small[2] === 1 && padding[0] === 0 && padding[1] === 0;

/** A column an image. */
function columnMatrix(x: Tensor): Tensor {
  const [channels, height, width, batch] = mapSizes("reshape", x);
  return reshape(x, [channels * height * width, batch]);
}

/** A row a filter. */
function kernelMatrix(w: Tensor): Tensor {
  const [filters, depth, rows, columns] = kernelSizes("reshape", w);
  return reshape(w, [filters, depth * rows * columns]);
}

function kernelSizes(operator: string, w: Tensor): number[] {
  expectShapes(
    w.shape.length === 4 && w.shape.every((dimension) => typeof dimension === "number"),
    operator,
    [w.shape],
    "must be a kernel [filters, channels, height, width]",
  );
  return w.shape.map(Number);
}
