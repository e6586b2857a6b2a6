/** The attraction between the points of a t-SNE map, and the map's divergence from the samples. */
import type { Affinities } from "./affinities.ts";

/** Fills in Σ_j p_ij (y_j − y_i) / (1 + ‖y_i − y_j‖²) for each point of a map [rows, 2]. */
export function attraction(
  { rows, starts, others, values }: Affinities,
  map: Float64Array,
  forces: Float64Array,
): void {
  forces.fill(0);
  for (let i = 0; i < rows; i++) {
    const x = map[2 * i];
    const y = map[2 * i + 1];
    let forceX = 0;
    let forceY = 0;
    for (let pair = starts[i]; pair < starts[i + 1]; pair++) {
      const other = 2 * others[pair];
      const dx = map[other] - x;
      const dy = map[other + 1] - y;
      const weight = values[pair] / (1 + dx * dx + dy * dy);
      const pullX = weight * dx;
      const pullY = weight * dy;
      forceX += pullX;
      forceY += pullY;
      forces[other] -= pullX;
      forces[other + 1] -= pullY;
    }
    forces[2 * i] += forceX;
    forces[2 * i + 1] += forceY;
  }
}

/**
 * The Kullback-Leibler divergence Σ p_ij log(p_ij / q_ij), where q_ij = 1 / (1 + ‖y_i − y_j‖²) / total. `total` is the
 * sum of that kernel over all ordered pairs.
 */
export function divergence({ rows, starts, others, values }: Affinities, map: Float64Array, total: number): number {
  let sum = 0;
  for (let i = 0; i < rows; i++)
    for (let pair = starts[i]; pair < starts[i + 1]; pair++) {
      const p = values[pair];
      const dx = map[2 * others[pair]] - map[2 * i];
      const dy = map[2 * others[pair] + 1] - map[2 * i + 1];
      if (p > 0) sum += 2 * p * Math.log(p * total * (1 + dx * dx + dy * dy));
    }
  return sum;
}
