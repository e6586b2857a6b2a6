/**
 * How convolutions run on ONNX Runtime. Maps are kept with the batch last, [channels, height, width, batch], so that
 * one pixel of all images is one contiguous run of numbers.
 */
import { mapSizes } from "../shape.ts";
import { constant, emit, integers, type Tensor } from "../tensor.ts";

/**
 * One `Conv` for the whole batch: seen as a single image of width·batch columns, dilated by the batch, so that each
 * tap stays within its image.
 */
export function convolveDilated(x: Tensor, w: Tensor, [vertical, horizontal]: readonly [number, number]): Tensor {
  const [channels, height, width, batch] = mapSizes("Conv", x);
  const [filters, , rows, columns] = w.shape.map(Number);
  const size = [height + 2 * vertical - rows + 1, width + 2 * horizontal - columns + 1];
  const wide = rawReshape(x, [1, channels, height, width * batch]);
  const pads = [vertical, horizontal * batch, vertical, horizontal * batch];
  const y = emit(
    "Conv",
    [wide, w],
    { type: x.type, shape: [1, filters, size[0], size[1] * batch] },
    { attributes: { kernel_shape: [rows, columns], dilations: [1, batch], pads } },
  );
  return rawReshape(y, [filters, ...size, batch]);
}

/** The kernel of the transposed convolution seen as a convolution: channels swapped, both axes reversed. */
export function flipKernel(w: Tensor): Tensor {
  const [filters, depth, rows, columns] = w.shape.map(Number);
  const swapped = emit(
    "Transpose",
    [w],
    { type: w.type, shape: [depth, filters, rows, columns] },
    { attributes: { perm: [1, 0, 2, 3] } },
  );
  const last = integers([-1, -1]);
  const beforeFirst = integers([-rows - 1, -columns - 1]);
  return emit("Slice", [swapped, last, beforeFirst, integers([2, 3]), last], swapped);
}

/** The patches of the larger map under every tap of the kernel, gathered once, times the smaller map. */
export function correlateByPatches(
  large: Tensor,
  small: Tensor,
  [vertical, horizontal]: readonly [number, number],
): Tensor {
  const [channels, height, width, batch] = mapSizes("correlate", large);
  const [filters, rows, columns] = mapSizes("correlate", small);
  const kernel = [height + 2 * vertical - rows + 1, width + 2 * horizontal - columns + 1];
  const padded = vertical + horizontal > 0;
  const outside = height * width;
  const places: number[] = [];
  for (let u = 0; u < kernel[0]; u++)
    for (let v = 0; v < kernel[1]; v++)
      for (let y = 0; y < rows; y++)
        for (let x = 0; x < columns; x++) {
          const [row, column] = [y + u - vertical, x + v - horizontal];
          const inside = row >= 0 && column >= 0 && row < height && column < width;
          places.push(inside ? row * width + column : outside);
        }
  let pixels = rawReshape(large, [channels, height * width, batch]);
  if (padded)
    pixels = emit("Pad", [pixels, integers([0, 0, 0, 0, 1, 0])], {
      type: large.type,
      shape: [channels, outside + 1, batch],
    });
  const taps = kernel[0] * kernel[1];
  const patches = emit(
    "Gather",
    [pixels, constant(Int32Array.from(places), [taps, rows * columns], "int32")],
    { type: large.type, shape: [channels, taps, rows * columns, batch] },
    { attributes: { axis: 1 } },
  );
  const product = emit(
    "Gemm",
    [
      rawReshape(small, [filters, rows * columns * batch]),
      rawReshape(patches, [channels * taps, rows * columns * batch]),
    ],
    { type: large.type, shape: [filters, channels * taps] },
    { attributes: { transB: 1 } },
  );
  return rawReshape(product, [filters, channels, ...kernel]);
}

function rawReshape(x: Tensor, shape: readonly number[]): Tensor {
  return emit("Reshape", [x, integers(shape)], { type: x.type, shape });
}
