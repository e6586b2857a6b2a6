/** Features of several networks as one. */
import { type Matrix, matrix, rowOf } from "../matrix.ts";
import { totalVariance } from "./total-variance.ts";

/** Each row is the rows of all of them in order, each matrix scaled to a total variance of 1, so that none outweighs. */
export function sideBySide(...parts: readonly Matrix[]): Matrix {
  const columns = parts.reduce((total, part) => total + part.columns, 0);
  const values = new Float32Array(parts[0].rows * columns);
  let before = 0;
  for (const part of parts) {
    const scale = 1 / Math.sqrt(totalVariance(part));
    for (let row = 0; row < part.rows; row++) {
      const [source, start] = [rowOf(part, row), row * columns + before];
      for (let d = 0; d < part.columns; d++) values[start + d] = source[d] * scale;
    }
    before += part.columns;
  }
  return matrix(values, columns);
}
