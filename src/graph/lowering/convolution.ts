/**
 * How convolutions run on ONNX Runtime. `docs/performance.md` has the measurements behind each choice.
 *
 * The large map is [channels, height, width, batch]. The small map is [filters, phases, h, w, batch]: its pixels are
 * sorted by their position in the pooling window. All pixels of one position form one phase, so that pooling is a
 * maximum over an axis. Phases also make products wider: a kernel grown by one tap per phase computes all at once.
 */
import { emit, integers, type Tensor, view } from "../tensor.ts";
import { gatherRows } from "./gather.ts";
import { digits, type Geometry } from "./geometry.ts";
import { copyTaps, sumTaps } from "./kernel.ts";
import { patchesOf, patchSizes } from "./patches.ts";

/**
 * Large map to small map with its vertical phases only, [filters, phases, grid rows, columns, batch]: one `Conv`, which
 * sees the whole batch as a single image of width·batch columns and is dilated by the batch, so that each tap stays
 * within its image. Its stride is the number of phases; a copy of the kernel, shifted down, computes each of them.
 */
function convolveRowPhases(large: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { channels, height, width, batch, filters, kernel, padding, phases, grid } = geometry;
  const { rows } = patchSizes(geometry);
  const columns = grid[1] * phases[1];
  const shifted = copyTaps(w, geometry, {
    places: [phases[0], rows, kernel[1]],
    source: (phase, u, j) => [u - phase, j],
  });
  const byPhase = transposed(view(shifted, [filters, channels, phases[0], rows * kernel[1]]), [0, 2, 1, 3]);
  const y = emit(
    "Conv",
    [
      view(large, [1, channels, height, width * batch]),
      view(byPhase, [filters * phases[0], channels, rows, kernel[1]]),
    ],
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
  return view(y, [filters, phases[0], grid[0], columns, batch]);
}

/** Large map to small map; the horizontal phases are sorted out after the convolution. */
export function convolvePhases(large: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { batch, filters, phases, grid } = geometry;
  const columns = grid[1] * phases[1];
  const y = view(convolveRowPhases(large, w, geometry), [filters * phases[0], grid[0] * columns, batch]);
  const sorted = gatherRows(y, [phases[1], ...grid], (place) => {
    const [phase, row, column] = digits(place, [phases[1], ...grid]);
    return row * columns + column * phases[1] + phase;
  });
  return view(sorted, [filters, phases[0] * phases[1], ...grid, batch]);
}

/** Large map to the maximum over the phases of the small map, [filters, height, width, batch], without sorting. */
export function convolveLargestPhase(large: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { batch, filters, phases, grid } = geometry;
  const y = convolveRowPhases(large, w, geometry);
  const overRows = largestOfAxis(view(y, [filters, phases[0], grid[0] * grid[1] * phases[1] * batch]));
  const overColumns = largestOfAxis(view(overRows, [filters * grid[0] * grid[1], phases[1], batch]));
  return view(overColumns, [filters, ...grid, batch]);
}

/** From this many pixels of the small map on, the patches are the left factor, for the product is then small. */
const manyPixels = 50_000;

/** Both maps to a kernel: the patches times the small map; then, for each tap of the kernel, the sum over phases. */
export function correlatePhases(large: Tensor, small: Tensor, geometry: Geometry): Tensor {
  const { channels, filters, phases } = geometry;
  const { rows, columns, length } = patchSizes(geometry);
  const count = phases[0] * phases[1];
  const taps = rows * columns;
  const patches = patchesOf(large, geometry);
  const pixels = view(small, [filters * count, length]);
  const grown =
    length * count >= manyPixels
      ? transposed(view(productTransposed(patches, pixels), [channels, taps, filters, count]), [2, 0, 3, 1])
      : transposed(view(productTransposed(pixels, patches), [filters, count, channels, taps]), [0, 2, 1, 3]);
  return sumTaps(grown, geometry, {
    places: [...phases, rows, columns],
    source: (a, b, u, v) => [u - a, v - b],
  });
}

/**
 * Small map to large map: a `Conv` with a mirrored kernel of one row handles the columns; its results for each row of
 * the kernel are then gathered at the rows they belong to and summed.
 */
export function convolveTransposePhases(small: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { channels, height, width, batch, filters, kernel, padding, phases, grid } = geometry;
  const { rows } = patchSizes(geometry);
  const columns = grid[1] * phases[1];
  const pixels = view(small, [filters * phases[0], phases[1] * grid[0] * grid[1], batch]);
  const unsorted = gatherRows(pixels, [grid[0], columns], (place) => {
    const [row, column] = digits(place, [grid[0], columns]);
    return ((column % phases[1]) * grid[0] + row) * grid[1] + Math.floor(column / phases[1]);
  });
  const mirrored = copyTaps(w, geometry, {
    places: [rows, phases[0], kernel[1]],
    source: (u, phase, j) => [u - phase, kernel[1] - 1 - j],
  });
  const byRow = view(mirrored, [filters, channels, rows, phases[0] * kernel[1]]);
  // The padding on top adds a row of zeros, which is gathered where there is nothing to add.
  const sidePad = (kernel[1] - 1 - padding[1]) * batch;
  const parts = emit(
    "Conv",
    [
      view(unsorted, [1, filters * phases[0], grid[0], columns * batch]),
      view(transposed(byRow, [1, 2, 0, 3]), [channels * rows, filters * phases[0], 1, kernel[1]]),
    ],
    { type: small.type, shape: [1, channels * rows, grid[0] + 1, width * batch] },
    { attributes: { kernel_shape: [1, kernel[1]], dilations: [1, batch], pads: [1, sidePad, 0, sidePad] } },
  );
  const terms = Math.ceil(rows / phases[0]);
  const gathered = gatherRows(
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

/** The maximum over the second of three axes. */
function largestOfAxis(x: Tensor): Tensor {
  const [first, count, last] = x.shape;
  if (count === 1) return x;
  const attributes = { axes: [1], keepdims: 0 };
  return emit("ReduceMax", [x], { type: x.type, shape: [first, last] }, { attributes });
}

function productTransposed(a: Tensor, b: Tensor): Tensor {
  return emit("Gemm", [a, b], { type: a.type, shape: [a.shape[0], b.shape[0]] }, { attributes: { transB: 1 } });
}

function transposed(x: Tensor, order: readonly number[]): Tensor {
  const shape = order.map((axis) => x.shape[axis]);
  return emit("Transpose", [x], { type: x.type, shape }, { attributes: { perm: order } });
}
