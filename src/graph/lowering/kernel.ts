/** Kernels rearranged: products with constant matrices of zeros and ones, on tensors so small that it hardly counts. */
import { constant, emit, type Tensor, view } from "../tensor.ts";
import { digits, type Geometry, type Pair } from "./geometry.ts";

interface Rearrangement {
  /** The axes that take the place of a filter's and channel's taps. */
  readonly places: readonly number[];
  /** The tap (row, column) that each place copies; one outside the kernel is zero. */
  readonly source: (...place: number[]) => Pair;
}

/** A kernel [filters, channels, …places] whose taps are copies of another's. */
export function copyTaps(
  w: Tensor,
  { channels, filters, kernel }: Geometry,
  { places, source }: Rearrangement,
): Tensor {
  const taps = kernel[0] * kernel[1];
  const count = places.reduce((a, b) => a * b, 1);
  const copies = new Float32Array(taps * count);
  for (let place = 0; place < count; place++) {
    const [row, column] = source(...digits(place, places));
    const inside = row >= 0 && row < kernel[0] && column >= 0 && column < kernel[1];
    if (inside) copies[(row * kernel[1] + column) * count + place] = 1;
  }
  return times(view(w, [filters * channels, taps]), copies, count, [filters, channels, ...places]);
}

/** The reverse: a kernel whose taps are the sums of the places that would copy them. */
export function sumTaps(
  grown: Tensor,
  { channels, filters, kernel }: Geometry,
  { places, source }: Rearrangement,
): Tensor {
  const taps = kernel[0] * kernel[1];
  const count = places.reduce((a, b) => a * b, 1);
  const sums = new Float32Array(count * taps);
  for (let place = 0; place < count; place++) {
    const [row, column] = source(...digits(place, places));
    const inside = row >= 0 && row < kernel[0] && column >= 0 && column < kernel[1];
    if (inside) sums[place * taps + row * kernel[1] + column] = 1;
  }
  return times(view(grown, [filters * channels, count]), sums, taps, [filters, channels, ...kernel]);
}

function times(left: Tensor, values: Float32Array, columns: number, shape: readonly number[]): Tensor {
  const right = constant(values, [values.length / columns, columns], "float32");
  return view(emit("MatMul", [left, right], { type: left.type, shape: [left.shape[0], columns] }), shape);
}
