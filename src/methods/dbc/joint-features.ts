/** Z ← f(X) by several encoders at once. */
import type { Images } from "../../images/dataset.ts";
import type { Architecture } from "../../network/architecture.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { type Matrix, matrix, rowOf } from "../../numeric/matrix.ts";
import { totalVariance } from "../../numeric/moments.ts";
import type { MethodOptions } from "../method.ts";
import { featuresOf } from "../training/features.ts";

export interface JointFeatures {
  /** Of all encoders. */
  readonly joint: Matrix;
  /** Of each of them, if there are several. */
  readonly views?: readonly Matrix[];
  /** Of the last of them, by itself. */
  readonly last: Matrix;
}

/**
 * What several encoders see, side by side: over-clustering teaches what makes images different, but how groups belong
 * together is unlearned with it, and the auto-encoder still knows. Of one encoder, simply its features.
 */
export async function jointFeatures(
  dataset: Images,
  architecture: Architecture,
  encoders: readonly TrainedValues[],
  options: MethodOptions,
): Promise<JointFeatures> {
  const parts: Matrix[] = [];
  for (const encoder of encoders) parts.push(await featuresOf(dataset, architecture, encoder, options));
  const last = parts[parts.length - 1];
  return parts.length === 1 ? { joint: last, last } : { joint: sideBySide(parts), views: parts, last };
}

/** What scales a matrix to a total variance of 1. */
export const unitScale = (part: Matrix): number => 1 / Math.sqrt(totalVariance(part));

/** Each row is the rows of all of them in order, each matrix scaled, by default so that none outweighs. */
export function sideBySide(parts: readonly Matrix[], scales: readonly number[] = parts.map(unitScale)): Matrix {
  const columns = parts.reduce((total, part) => total + part.columns, 0);
  const values = new Float32Array(parts[0].rows * columns);
  let before = 0;
  parts.forEach((part, index) => {
    for (let row = 0; row < part.rows; row++) {
      const [source, start] = [rowOf(part, row), row * columns + before];
      for (let d = 0; d < part.columns; d++) values[start + d] = source[d] * scales[index];
    }
    before += part.columns;
  });
  return matrix(values, columns);
}
