/**
 * Convolution, transposed convolution and the correlation that is the weight gradient of both.
 *
 * With a kernel w [filters, channels, height, width], these three are the gradients of one another:
 *   convolve:          large map, w          → small map
 *   convolveTranspose: small map, w          → large map
 *   correlate:         large map, small map  → w
 * Each is bilinear, so the gradients of each are the other two. How they are computed is in `../lowering`.
 *
 * A large map is [channels, height, width, batch], a small one [filters, phases, height, width, batch]: the
 * positions within a pooling window are its `phases`, counted row by row. Without pooling there is one phase.
 */
import {
  convolveLargestPhase,
  convolvePhases,
  convolveTransposePhases,
  correlatePhases,
} from "../lowering/convolution.ts";
import type { Geometry, Pair } from "../lowering/geometry.ts";
import { expectShapes, mapSizes } from "../shape.ts";
import { differentiable, type Tensor } from "../tensor.ts";
import { reshape } from "./layout.ts";
import { matmul } from "./product.ts";

export interface ConvolutionOptions {
  /** Zeros around the large map, vertically and horizontally. Default: none. */
  readonly padding?: Pair;
  /** The size of the pooling window by which the small map is sorted. Default: [1, 1]. */
  readonly phases?: Pair;
}

/** The correlation of each image with each filter: y[o] = Σ_c x[c] ⋆ w[o,c]. */
export function convolve(x: Tensor, w: Tensor, options: ConvolutionOptions = {}): Tensor {
  return apply(x, w, convolutionGeometry(x, w, options));
}

/** `convolve` and the maximum over the phases, [filters, height, width, batch]. For prediction: it has no gradient. */
export function convolveMax(x: Tensor, w: Tensor, options: ConvolutionOptions = {}): Tensor {
  const geometry = convolutionGeometry(x, w, options);
  if (!coversMap(geometry)) return convolveLargestPhase(x, w, geometry);
  return reshape(apply(x, w, geometry), [geometry.filters, 1, 1, geometry.batch]);
}

function convolutionGeometry(
  x: Tensor,
  w: Tensor,
  { padding = [0, 0], phases = [1, 1] }: ConvolutionOptions,
): Geometry {
  const [channels, height, width, batch] = mapSizes("convolve", x);
  const [filters, depth, ...kernel] = kernelSizes("convolve", w);
  expectShapes(channels === depth, "convolve", [x.shape, w.shape], "have different numbers of channels");
  const size = [height + 2 * padding[0] - kernel[0] + 1, width + 2 * padding[1] - kernel[1] + 1];
  expectShapes(Math.min(...size) > 0, "convolve", [x.shape, w.shape], "the kernel is larger than the map");
  const whole = size[0] % phases[0] === 0 && size[1] % phases[1] === 0;
  expectShapes(whole, "convolve", [size, phases], "windows do not fill the map");
  const grid: Pair = [size[0] / phases[0], size[1] / phases[1]];
  return { channels, height, width, batch, filters, kernel, padding, phases, grid };
}

/** The transpose of `convolve` as a linear map. */
export function convolveTranspose(
  x: Tensor,
  w: Tensor,
  { padding = [0, 0], phases = [1, 1] }: ConvolutionOptions = {},
): Tensor {
  const [filters, count, ...rest] = smallSizes("convolveTranspose", x);
  const [filtersToo, channels, ...kernel] = kernelSizes("convolveTranspose", w);
  const grid: Pair = [rest[0], rest[1]];
  expectShapes(filters === filtersToo, "convolveTranspose", [x.shape, w.shape], "have different numbers of filters");
  expectShapes(count === phases[0] * phases[1], "convolveTranspose", [x.shape, phases], "differ in phases");
  const height = grid[0] * phases[0] - 2 * padding[0] + kernel[0] - 1;
  const width = grid[1] * phases[1] - 2 * padding[1] + kernel[1] - 1;
  expectShapes(Math.min(height, width) > 0, "convolveTranspose", [x.shape, w.shape], "the padding exceeds the map");
  return applyTranspose(x, w, { channels, height, width, batch: rest[2], filters, kernel, padding, phases, grid });
}

/** w[o,c] = Σ_n large[c,·,·,n] ⋆ small[o,·,·,n], for every shift of the small map within the padded large one. */
export function correlate(
  large: Tensor,
  small: Tensor,
  { padding = [0, 0], phases = [1, 1] }: ConvolutionOptions = {},
): Tensor {
  const [channels, height, width, batch] = mapSizes("correlate", large);
  const [filters, count, ...rest] = smallSizes("correlate", small);
  const grid: Pair = [rest[0], rest[1]];
  expectShapes(batch === rest[2], "correlate", [large.shape, small.shape], "are of different batches");
  expectShapes(count === phases[0] * phases[1], "correlate", [small.shape, phases], "differ in phases");
  const kernel: Pair = [
    height + 2 * padding[0] - grid[0] * phases[0] + 1,
    width + 2 * padding[1] - grid[1] * phases[1] + 1,
  ];
  expectShapes(Math.min(...kernel) > 0, "correlate", [large.shape, small.shape], "the small map is the larger one");
  return applyCorrelation(large, small, { channels, height, width, batch, filters, kernel, padding, phases, grid });
}

function apply(x: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { filters, batch } = geometry;
  const y = coversMap(geometry)
    ? reshape(matmul(kernelMatrix(w, geometry), columnMatrix(x)), [filters, 1, 1, 1, batch])
    : convolvePhases(x, w, geometry);
  return differentiable(y, [x, w], (dy) => [applyTranspose(dy, w, geometry), applyCorrelation(x, dy, geometry)]);
}

function applyTranspose(x: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { channels, height, width, batch } = geometry;
  const y = coversMap(geometry)
    ? reshape(matmul(kernelMatrix(w, geometry), columnMatrix(x), { left: true }), [channels, height, width, batch])
    : convolveTransposePhases(x, w, geometry);
  return differentiable(y, [x, w], (dy) => [apply(dy, w, geometry), applyCorrelation(dy, x, geometry)]);
}

function applyCorrelation(large: Tensor, small: Tensor, geometry: Geometry): Tensor {
  const { channels, filters, kernel } = geometry;
  const w = coversMap(geometry)
    ? reshape(matmul(columnMatrix(small), columnMatrix(large), { right: true }), [filters, channels, ...kernel])
    : correlatePhases(large, small, geometry);
  return differentiable(w, [large, small], (dw) => [applyTranspose(small, dw, geometry), apply(large, dw, geometry)]);
}

/** Whether the kernel covers its whole input, so that convolution is a matrix product. */
const coversMap = ({ kernel, height, width, padding }: Geometry): boolean =>
  kernel[0] === height && kernel[1] === width && padding[0] === 0 && padding[1] === 0;

/** One column per image. */
function columnMatrix(x: Tensor): Tensor {
  const sizes = x.shape.map(Number);
  const batch = sizes[sizes.length - 1];
  return reshape(x, [sizes.slice(0, -1).reduce((a, b) => a * b, 1), batch]);
}

/** One row per filter. */
const kernelMatrix = (w: Tensor, { filters, channels, kernel }: Geometry): Tensor =>
  reshape(w, [filters, channels * kernel[0] * kernel[1]]);

function kernelSizes(operator: string, w: Tensor): [filters: number, channels: number, height: number, width: number] {
  const [filters, channels, height, width] = w.shape.map(Number);
  const rule = "must be a kernel [filters, channels, height, width]";
  expectShapes(w.shape.length === 4 && w.shape.every(isSize), operator, [w.shape], rule);
  return [filters, channels, height, width];
}

function smallSizes(operator: string, x: Tensor): [number, number, number, number, number] {
  const [filters, phases, height, width, batch] = x.shape.map(Number);
  const rule = "must be [filters, phases, height, width, batch]";
  expectShapes(x.shape.length === 5 && x.shape.every(isSize), operator, [x.shape], rule);
  return [filters, phases, height, width, batch];
}

const isSize = (dimension: unknown): boolean => typeof dimension === "number";
