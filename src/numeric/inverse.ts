/** The inverse of a symmetric, positive definite matrix [d, d], in place (Gauss & Jordan); pivots need no search. */
export function invertPositiveDefinite(a: Float64Array, d: number): Float64Array {
  for (let pivot = 0; pivot < d; pivot++) {
    const pivotRow = a.subarray(pivot * d, (pivot + 1) * d);
    const scale = 1 / pivotRow[pivot];
    pivotRow[pivot] = 1;
    for (let column = 0; column < d; column++) pivotRow[column] *= scale;
    for (let row = 0; row < d; row++) {
      if (row === pivot) continue;
      const own = a.subarray(row * d, (row + 1) * d);
      const factor = own[pivot];
      if (factor === 0) continue;
      own[pivot] = 0;
      for (let column = 0; column < d; column++) own[column] -= factor * pivotRow[column];
    }
  }
  return a;
}
