/** Cholesky's factor of a positive definite matrix, and what is solved with it. */

/** Added to the diagonal, as a share of its mean, so that a matrix that is only just singular has a factor. */
const jitter = 1e-10;

/** L, lower triangular, with L Lᵀ = A. */
export function choleskyFactor(a: Float64Array, d: number): Float64Array {
  const factor = new Float64Array(d * d);
  let trace = 0;
  for (let i = 0; i < d; i++) trace += a[i * d + i];
  const least = (jitter * trace) / d;
  for (let row = 0; row < d; row++) {
    const own = factor.subarray(row * d, row * d + row + 1);
    for (let column = 0; column <= row; column++) {
      const other = factor.subarray(column * d, column * d + column + 1);
      let rest = a[row * d + column];
      for (let i = 0; i < column; i++) rest -= own[i] * other[i];
      own[column] = column === row ? Math.sqrt(Math.max(rest, 0) + least) : rest / other[column];
    }
  }
  return factor;
}

/** Solves A x = b in place, where A = L Lᵀ; `b` begins at `offset`. */
export function choleskySolve(factor: Float64Array, d: number, b: Float64Array, offset = 0): void {
  for (let row = 0; row < d; row++) {
    let rest = b[offset + row];
    for (let i = 0; i < row; i++) rest -= factor[row * d + i] * b[offset + i];
    b[offset + row] = rest / factor[row * d + row];
  }
  for (let row = d - 1; row >= 0; row--) {
    let rest = b[offset + row];
    for (let i = row + 1; i < d; i++) rest -= factor[i * d + row] * b[offset + i];
    b[offset + row] = rest / factor[row * d + row];
  }
}
