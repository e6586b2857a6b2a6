/** Eigenvalues and eigenvectors of a small symmetric matrix, by Jacobi's rotations. */

export interface Eigen {
  /** The largest first. */
  readonly values: Float64Array;
  /** [size, size]: one eigenvector of length 1 per row, in the order of the values. */
  readonly vectors: Float64Array;
}

/** Off-diagonal values below this share of the largest value count as zero. */
const negligible = 1e-14;
const mostSweeps = 60;

export function symmetricEigen(symmetric: Float64Array, size: number): Eigen {
  const a = Float64Array.from(symmetric);
  const rotation = new Float64Array(size * size);
  for (let i = 0; i < size; i++) rotation[i * size + i] = 1;
  const threshold = negligible * a.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  for (let sweep = 0; sweep < mostSweeps && rotateAway(a, rotation, size, threshold); sweep++);
  const order = Array.from({ length: size }, (_, i) => i).sort((i, j) => a[j * size + j] - a[i * size + i]);
  const vectors = new Float64Array(size * size);
  order.forEach((from, to) => {
    vectors.set(rotation.subarray(from * size, (from + 1) * size), to * size);
  });
  return { values: Float64Array.from(order, (i) => a[i * size + i]), vectors };
}

/** Rotates each pair of axes so that their off-diagonal value becomes zero; returns whether any was not. */
function rotateAway(a: Float64Array, rotation: Float64Array, size: number, threshold: number): boolean {
  let rotated = false;
  for (let p = 0; p < size; p++)
    for (let q = p + 1; q < size; q++) {
      const off = a[p * size + q];
      if (Math.abs(off) <= threshold) continue;
      rotated = true;
      const half = (a[q * size + q] - a[p * size + p]) / (2 * off);
      const tangent = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1));
      const cosine = 1 / Math.sqrt(tangent * tangent + 1);
      const angle = { cosine, sine: tangent * cosine };
      rotate(a, { start: p, other: q, step: size, count: size }, angle);
      rotate(a, { start: p * size, other: q * size, step: 1, count: size }, angle);
      rotate(rotation, { start: p * size, other: q * size, step: 1, count: size }, angle);
    }
  return rotated;
}

interface Lines {
  readonly start: number;
  readonly other: number;
  readonly step: number;
  readonly count: number;
}

/** Rotates two rows or two columns in their plane. */
function rotate(
  values: Float64Array,
  { start, other, step, count }: Lines,
  { cosine, sine }: { readonly cosine: number; readonly sine: number },
): void {
  for (let i = 0, x = start, y = other; i < count; i++, x += step, y += step) {
    const [first, second] = [values[x], values[y]];
    values[x] = cosine * first - sine * second;
    values[y] = sine * first + cosine * second;
  }
}
