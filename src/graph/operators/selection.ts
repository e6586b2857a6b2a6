/** Operators that choose among values. */
import { expectShapes } from "../shape.ts";
import { emit, emitMany, integers, type Tensor } from "../tensor.ts";

/** The columns (int32) of the `count` smallest values of each row of a matrix, smallest first; it has no gradient. */
export function smallestPlaces(x: Tensor, count: number): Tensor {
  const [, places] = smallest(x, count);
  return emit("Cast", [places], { type: "int32", shape: places.shape }, { attributes: { to: 6 } });
}

/** The `count` smallest values of each row of a matrix, smallest first; it has no gradient. */
export function smallestValues(x: Tensor, count: number): Tensor {
  const [values] = smallest(x, count);
  return values;
}

function smallest(x: Tensor, count: number): readonly Tensor[] {
  const [rows, columns] = x.shape;
  expectShapes(x.shape.length === 2, "TopK", [x.shape], "must be a matrix");
  expectShapes(count <= Number(columns), "TopK", [x.shape], `has fewer than ${count} values per row`);
  return emitMany(
    "TopK",
    [x, integers([count])],
    [
      { type: x.type, shape: [rows, count] },
      { type: "int64", shape: [rows, count] },
    ],
    { attributes: { axis: 1, largest: 0, sorted: 1 } },
  );
}
