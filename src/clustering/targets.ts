/** Boosted and balanced targets (eq. R and Algorithm 2). */
import { InputError } from "../files/errors.ts";

/**
 * The balance n_j that each cluster's boosted scores are divided by: "boosted" Σ_i s_ij^α (Algorithm 2), "targets" Σ_i
 * r_ij of targets without a balance (as the paper's text has it), "scores" Σ_i s_ij (as DEC) or "none", 1.
 */
export const balances = ["boosted", "targets", "scores", "none"] as const;
export type Balance = (typeof balances)[number];

export interface TargetOptions {
  /** The boosting factor α > 1. Default: 2. */
  readonly alpha?: number;
  /** Default: "boosted". */
  readonly balance?: Balance;
  /** Positive factors [samples, clusters] for further knowledge about the samples. Default: 1. */
  readonly prior?: Float32Array;
}

/** r_ij = (s_ij^α / n_j) / Σ_j (s_ij^α / n_j) for scores [samples, clusters]. */
export function boostedTargets(
  scores: Float32Array | Float64Array,
  clusters: number,
  { alpha = 2, balance = "boosted", prior }: TargetOptions = {},
): Float32Array {
  if (!(alpha > 1) || !Number.isFinite(alpha)) throw new InputError(`alpha must be a number over 1, not ${alpha}`);
  if (!Number.isInteger(clusters) || clusters < 1 || scores.length % clusters !== 0)
    throw new InputError(`${scores.length} scores do not make rows of ${clusters} clusters`);
  const logBalance = balanceLogarithms(scores, clusters, alpha, balance);
  const targets = new Float32Array(scores.length);
  const row = new Float64Array(clusters);
  for (let start = 0; start < scores.length; start += clusters) {
    // In logarithms, since a high power of a small score underflows.
    for (let j = 0; j < clusters; j++)
      row[j] = scores[start + j] > 0 ? alpha * Math.log(scores[start + j]) - logBalance[j] : Number.NEGATIVE_INFINITY;
    if (prior !== undefined) for (let j = 0; j < clusters; j++) row[j] += Math.log(prior[start + j]);
    const largest = Math.max(...row);
    let total = 0;
    for (let j = 0; j < clusters; j++) {
      row[j] = Math.exp(row[j] - largest);
      total += row[j];
    }
    for (let j = 0; j < clusters; j++) targets[start + j] = row[j] / total;
  }
  return targets;
}

/** log n_j, with the largest score factored out so that no power underflows. */
function balanceLogarithms(
  scores: Float32Array | Float64Array,
  clusters: number,
  alpha: number,
  balance: Balance,
): Float64Array {
  if (balance === "none") return new Float64Array(clusters);
  if (balance === "targets")
    return balanceLogarithms(boostedTargets(scores, clusters, { alpha, balance: "none" }), clusters, alpha, "scores");
  const exponent = balance === "boosted" ? alpha : 1;
  const largest = new Float64Array(clusters);
  scores.forEach((score, index) => {
    largest[index % clusters] = Math.max(largest[index % clusters], score);
  });
  const sums = new Float64Array(clusters);
  scores.forEach((score, index) => {
    const j = index % clusters;
    if (largest[j] > 0) sums[j] += (score / largest[j]) ** exponent;
  });
  return sums.map((sum, j) => (sum > 0 ? exponent * Math.log(largest[j]) + Math.log(sum) : 0));
}
