/** Boosted and balanced targets (eq. R and Algorithm 2). */
import { InputError } from "../errors.ts";

/**
 * The balance n_j that each cluster's boosted scores are divided by: "boosted" Σ_i s_ij^α (Algorithm 2),
 * "scores" Σ_i s_ij (as DEC) or "none", 1.
 */
export type Balance = "boosted" | "scores" | "none";

export interface TargetOptions {
  /** The boosting factor α > 1. Default: 2. */
  readonly alpha?: number;
  /** Default: "boosted". */
  readonly balance?: Balance;
}

/** r_ij = (s_ij^α / n_j) / Σ_j (s_ij^α / n_j) for scores [samples, clusters]. */
export function boostedTargets(
  scores: Float32Array | Float64Array,
  clusters: number,
  { alpha = 2, balance = "boosted" }: TargetOptions = {},
): Float32Array {
  if (!(alpha > 1) || !Number.isFinite(alpha)) throw new InputError(`alpha must be a number over 1, not ${alpha}`);
  if (!Number.isInteger(clusters) || clusters < 1 || scores.length % clusters !== 0)
    throw new InputError(`${scores.length} scores do not make rows of ${clusters} clusters`);
  const n = balanceFactors(scores, clusters, alpha, balance);
  const targets = new Float32Array(scores.length);
  const row = new Float64Array(clusters);
  for (let start = 0; start < scores.length; start += clusters) {
    let total = 0;
    for (let j = 0; j < clusters; j++) {
      row[j] = scores[start + j] ** alpha / n[j];
      total += row[j];
    }
    for (let j = 0; j < clusters; j++) targets[start + j] = row[j] / total;
  }
  return targets;
}

function balanceFactors(scores: Float32Array | Float64Array, clusters: number, alpha: number, balance: Balance) {
  const n = new Float64Array(clusters);
  if (balance === "none") return n.fill(1);
  const exponent = balance === "boosted" ? alpha : 1;
  scores.forEach((score, index) => {
    n[index % clusters] += score ** exponent;
  });
  return n;
}
