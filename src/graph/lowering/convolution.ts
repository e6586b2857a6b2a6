/**
 * How convolutions run on ONNX Runtime. `docs/performance.md` has the measurements behind each choice.
 *
 * The large map is [channels, height, width, batch]. The small map is [filters, phases, h, w, batch]: its pixels are
 * sorted by their place in the pooling window. All pixels of one place are one phase, so that pooling is a maximum over
 * an axis. Phases also make products wider: a kernel grown by one tap a phase computes all of them at once.
 */
import { constant, emit, integers, type Tensor, view } from "../tensor.ts";

/** Vertical, horizontal. */
export type Pair = readonly [number, number];

/** The sizes of a convolution and its two relatives. */
export interface Geometry {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
  readonly batch: number;
  readonly filters: number;
  readonly kernel: Pair;
  readonly padding: Pair;
  /** Phases along each axis. */
  readonly phases: Pair;
  /** Pixels of one phase along each axis. */
  readonly grid: Pair;
}

/**
 * Large map to small map with its vertical phases only, [filters·phases, grid rows, columns, batch]: one `Conv` for the
 * whole batch, which sees a single image of width·batch columns, dilated by the batch so that each tap stays within its
 * image. It strides over the phases and computes each by a copy of the kernel, shifted down.
 */
function convolveRowPhases(large: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { channels, height, width, batch, filters, kernel, padding, phases, grid } = geometry;
  const rows = kernel[0] + phases[0] - 1;
  const columns = grid[1] * phases[1];
  const shifted = rearrangeKernel(w, geometry, {
    places: phases[0] * rows * kernel[1],
    source: (place) => {
      const [phase, u, j] = digits(place, [phases[0], rows, kernel[1]]);
      return [u - phase, j];
    },
    order: (expanded) => transposed(view(expanded, [filters, channels, phases[0], rows * kernel[1]]), [0, 2, 1, 3]),
    shape: [filters * phases[0], channels, rows, kernel[1]],
  });
  const y = emit(
    "Conv",
    [view(large, [1, channels, height, width * batch]), shifted],
    { type: large.type, shape: [1, filters * phases[0], grid[0], columns * batch] },
    {
      attributes: {
        kernel_shape: [rows, kernel[1]],
        strides: [phases[0], 1],
        dilations: [1, batch],
        pads: [padding[0], padding[1] * batch, padding[0], padding[1] * batch],
      },
    },
  );
  return view(y, [filters * phases[0], grid[0], columns, batch]);
}

/** Large map to small map; the horizontal phases are sorted out after the convolution. */
export function convolvePhases(large: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { batch, filters, phases, grid } = geometry;
  const columns = grid[1] * phases[1];
  const y = view(convolveRowPhases(large, w, geometry), [filters * phases[0], grid[0] * columns, batch]);
  const sorted = gatherPixels(y, [phases[1], ...grid], (place) => {
    const [phase, row, column] = digits(place, [phases[1], ...grid]);
    return row * columns + column * phases[1] + phase;
  });
  return view(sorted, [filters, phases[0] * phases[1], ...grid, batch]);
}

/** Large map to the maximum over the phases of the small map, [filters, height, width, batch]: no need to sort. */
export function convolveLargestPhase(large: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { batch, filters, phases, grid } = geometry;
  const y = convolveRowPhases(large, w, geometry);
  const rows = largestOfAxis(view(y, [filters, phases[0], grid[0] * grid[1] * phases[1] * batch]));
  const columns = largestOfAxis(view(rows, [filters * grid[0] * grid[1], phases[1], batch]));
  return view(columns, [filters, ...grid, batch]);
}

/** The maximum over axis 1 of three. */
function largestOfAxis(x: Tensor): Tensor {
  const [first, count, last] = x.shape;
  if (count === 1) return x;
  const attributes = { axes: [1], keepdims: 0 };
  return emit("ReduceMax", [x], { type: x.type, shape: [first, last] }, { attributes });
}

/**
 * Small map to large map: the columns by a `Conv` with a kernel of one row, mirrored; its results for each row of the
 * kernel are then gathered to the rows that they belong to and added up.
 */
export function convolveTransposePhases(small: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { channels, height, width, batch, filters, kernel, padding, phases, grid } = geometry;
  const rows = kernel[0] + phases[0] - 1;
  const columns = grid[1] * phases[1];
  const pixels = view(small, [filters * phases[0], phases[1] * grid[0] * grid[1], batch]);
  const unsorted = gatherPixels(pixels, [grid[0], columns], (place) => {
    const [row, column] = digits(place, [grid[0], columns]);
    return ((column % phases[1]) * grid[0] + row) * grid[1] + Math.floor(column / phases[1]);
  });
  const mirrored = rearrangeKernel(w, geometry, {
    places: rows * phases[0] * kernel[1],
    source: (place) => {
      const [u, phase, j] = digits(place, [rows, phases[0], kernel[1]]);
      return [u - phase, kernel[1] - 1 - j];
    },
    order: (expanded) => transposed(view(expanded, [filters, channels, rows, phases[0] * kernel[1]]), [1, 2, 0, 3]),
    shape: [channels * rows, filters * phases[0], 1, kernel[1]],
  });
  // The row of padding on top gives a row of zeros, for those who have nothing to gather.
  const sidePad = (kernel[1] - 1 - padding[1]) * batch;
  const parts = emit(
    "Conv",
    [view(unsorted, [1, filters * phases[0], grid[0], columns * batch]), mirrored],
    { type: small.type, shape: [1, channels * rows, grid[0] + 1, width * batch] },
    { attributes: { kernel_shape: [1, kernel[1]], dilations: [1, batch], pads: [1, sidePad, 0, sidePad] } },
  );
  const terms = Math.ceil(rows / phases[0]);
  const gathered = gatherPixels(
    view(parts, [channels, rows * (grid[0] + 1), width * batch]),
    [terms, height],
    (place) => {
      const [term, row] = digits(place, [terms, height]);
      const u = ((row + padding[0]) % phases[0]) + term * phases[0];
      const from = (row + padding[0] - u) / phases[0];
      return u < rows && from >= 0 && from < grid[0] ? u * (grid[0] + 1) + from + 1 : 0;
    },
  );
  const sum = emit(
    "ReduceSum",
    [gathered, integers([1])],
    { type: small.type, shape: [channels, height, width * batch] },
    { attributes: { keepdims: 0 } },
  );
  return view(sum, [channels, height, width, batch]);
}

/** From this many pixels of the small map on, the patches are the left factor: the product's result is small then. */
const manyPixels = 50_000;

/**
 * Both maps to a kernel: the patches of the large map under every tap of the kernel grown by the phases, gathered
 * once, times the small map; then, for each tap of the kernel itself, the sum over phases.
 */
export function correlatePhases(large: Tensor, small: Tensor, geometry: Geometry): Tensor {
  const { channels, height, width, batch, filters, kernel, padding, phases, grid } = geometry;
  const grown = [kernel[0] + phases[0] - 1, kernel[1] + phases[1] - 1];
  const taps = grown[0] * grown[1];
  const count = phases[0] * phases[1];
  const length = grid[0] * grid[1] * batch;
  const outside = height * width;
  const pixels = appendZeros(view(large, [channels, height * width, batch]), padding);
  const patches = gatherPixels(pixels, [taps, grid[0] * grid[1]], (place) => {
    const [u, v, y, x] = digits(place, [...grown, ...grid]);
    const [row, column] = [y * phases[0] + u - padding[0], x * phases[1] + v - padding[1]];
    return row >= 0 && column >= 0 && row < height && column < width ? row * width + column : outside;
  });
  const left = view(patches, [channels * taps, length]);
  const right = view(small, [filters * count, length]);
  const patchesFirst = length * count >= manyPixels;
  const product = patchesFirst
    ? transposed(view(productTransposed(left, right), [channels, taps, filters, count]), [2, 0, 3, 1])
    : transposed(view(productTransposed(right, left), [filters, count, channels, taps]), [0, 2, 1, 3]);
  if (count === 1) return view(product, [filters, channels, ...kernel]);
  const sums = new Float32Array(count * taps * kernel[0] * kernel[1]);
  for (let place = 0; place < count * kernel[0] * kernel[1]; place++) {
    const [a, b, i, j] = digits(place, [...phases, ...kernel]);
    const tap = (i + a) * grown[1] + j + b;
    sums[((a * phases[1] + b) * taps + tap) * kernel[0] * kernel[1] + i * kernel[1] + j] = 1;
  }
  const w = emit(
    "MatMul",
    [
      view(product, [filters * channels, count * taps]),
      constant(sums, [count * taps, kernel[0] * kernel[1]], "float32"),
    ],
    { type: large.type, shape: [filters * channels, kernel[0] * kernel[1]] },
  );
  return view(w, [filters, channels, ...kernel]);
}

interface Rearrangement {
  /** How many values a filter and channel has in the new kernel. */
  readonly places: number;
  /** Which tap of the old one each is; a tap outside is zero. */
  readonly source: (place: number) => Pair;
  readonly order: (expanded: Tensor) => Tensor;
  readonly shape: readonly number[];
}

/** A kernel whose taps are copies of another's: a product with a constant matrix of zeros and ones. */
function rearrangeKernel(
  w: Tensor,
  { channels, filters, kernel }: Geometry,
  { places, source, order, shape }: Rearrangement,
): Tensor {
  const taps = kernel[0] * kernel[1];
  const copies = new Float32Array(taps * places);
  for (let place = 0; place < places; place++) {
    const [row, column] = source(place);
    if (row >= 0 && row < kernel[0]) copies[(row * kernel[1] + column) * places + place] = 1;
  }
  const expanded = emit("MatMul", [view(w, [filters * channels, taps]), constant(copies, [taps, places], "float32")], {
    type: w.type,
    shape: [filters * channels, places],
  });
  return view(order(expanded), shape);
}

/** Rows of axis 1 picked by a function of their new place: copies of contiguous runs, on all threads. */
function gatherPixels(x: Tensor, places: readonly number[], source: (place: number) => number): Tensor {
  const [first, rows, ...rest] = x.shape.map(Number);
  const count = places.reduce((a, b) => a * b, 1);
  const indices = Int32Array.from({ length: count }, (_, place) => source(place));
  if (count === rows && indices.every((index, place) => index === place)) return x;
  return emit(
    "Gather",
    [x, constant(indices, places, "int32")],
    { type: x.type, shape: [first, ...places, ...rest] },
    { attributes: { axis: 1 } },
  );
}

/** One more row on axis 1, of zeros, where there is padding to be read from it. */
function appendZeros(x: Tensor, padding: Pair): Tensor {
  if (padding[0] === 0 && padding[1] === 0) return x;
  const [first, rows, last] = x.shape.map(Number);
  return emit("Pad", [x, integers([0, 0, 0, 0, 1, 0])], { type: x.type, shape: [first, rows + 1, last] });
}

function productTransposed(a: Tensor, b: Tensor): Tensor {
  return emit("Gemm", [a, b], { type: a.type, shape: [a.shape[0], b.shape[0]] }, { attributes: { transB: 1 } });
}

function transposed(x: Tensor, order: readonly number[]): Tensor {
  const shape = order.map((axis) => x.shape[axis]);
  return emit("Transpose", [x], { type: x.type, shape }, { attributes: { perm: order } });
}

/** The digits of a number whose places count to `bases`. */
function digits(value: number, bases: readonly number[]): number[] {
  let rest = value;
  return bases
    .map((_, index) => bases[bases.length - 1 - index])
    .map((base) => {
      const digit = rest % base;
      rest = Math.floor(rest / base);
      return digit;
    })
    .reverse();
}
