/** Moves pixels to where they are needed, as copies of contiguous runs, which ONNX Runtime makes on all threads. */
import { constant, emit, integers, type Tensor } from "../tensor.ts";

/** Rows of axis 1, each picked by a function of its new place; `places` replaces that axis. */
export function gatherRows(x: Tensor, places: readonly number[], source: (place: number) => number): Tensor {
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

/** One more row on axis 1, of zeros. */
export function appendZeroRow(x: Tensor): Tensor {
  const [first, rows, last] = x.shape.map(Number);
  return emit("Pad", [x, integers([0, 0, 0, 0, 1, 0])], { type: x.type, shape: [first, rows + 1, last] });
}
