/** Rearranges kernels by products with constant matrices of zeros and ones; kernels are so small that this is cheap. */
import { constant, emit, type Tensor, view } from "../tensor.ts";
import { digits, type Geometry, type Pair } from "./geometry.ts";

interface Rearrangement {
  /** The axes that replace the taps of each filter and channel. */
  readonly places: readonly number[];
  /** The tap (row, column) that each place copies; a tap outside the kernel is zero. */
  readonly source: (...place: number[]) => Pair;
}

/** A kernel [filters, channels, …places] whose taps are copies of another's. */
export function copyTaps(w: Tensor, geometry: Geometry, rearrangement: Rearrangement): Tensor {
  const { channels, filters, kernel } = geometry;
  const copies = copyMatrix(geometry, rearrangement);
  const rows = view(w, [filters * channels, kernel[0] * kernel[1]]);
  const y = emit("MatMul", [rows, copies], { type: w.type, shape: [filters * channels, copies.shape[1]] });
  return view(y, [filters, channels, ...rearrangement.places]);
}

/** The transpose of `copyTaps`: each tap is the sum of the places that copy it. */
export function sumTaps(grown: Tensor, geometry: Geometry, rearrangement: Rearrangement): Tensor {
  const { channels, filters, kernel } = geometry;
  const copies = copyMatrix(geometry, rearrangement);
  const rows = view(grown, [filters * channels, Number(copies.shape[1])]);
  const shape = [filters * channels, kernel[0] * kernel[1]];
  const y = emit("Gemm", [rows, copies], { type: grown.type, shape }, { attributes: { transB: 1 } });
  return view(y, [filters, channels, ...kernel]);
}

/** [taps, places]: a 1 where the place copies the tap. */
function copyMatrix({ kernel }: Geometry, { places, source }: Rearrangement): Tensor {
  const count = places.reduce((a, b) => a * b, 1);
  const copies = new Float32Array(kernel[0] * kernel[1] * count);
  for (let place = 0; place < count; place++) {
    const [row, column] = source(...digits(place, places));
    const inside = row >= 0 && row < kernel[0] && column >= 0 && column < kernel[1];
    if (inside) copies[(row * kernel[1] + column) * count + place] = 1;
  }
  return constant(copies, [kernel[0] * kernel[1], count], "float32");
}
