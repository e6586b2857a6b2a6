/**
 * The quintic B-spline on a grid of spacing 1: it spreads a point's weight over the six nodes around it and
 * interpolates values between nodes. It is smooth enough for the slope to be as accurate as the value.
 */

/** The number of nodes along an axis that share a point: the length of the arrays `weightsAt` and `slopesAt` fill. */
export const splineNodes = 6;

/** The weights of the six nodes for a point between the third and the fourth, `t` of the way. */
export function weightsAt(t: number, weights: Float64Array): void {
  const u = 1 - t;
  const t0 = fifth(t);
  const t1 = fifth(1 + t);
  const t2 = fifth(2 + t);
  const u0 = fifth(u);
  const u1 = fifth(1 + u);
  const u2 = fifth(2 + u);
  weights[0] = u0 / 120;
  weights[1] = (u1 - 6 * u0) / 120;
  weights[2] = (u2 - 6 * u1 + 15 * u0) / 120;
  weights[3] = (t2 - 6 * t1 + 15 * t0) / 120;
  weights[4] = (t1 - 6 * t0) / 120;
  weights[5] = t0 / 120;
}

/** The derivatives of the weights. */
export function slopesAt(t: number, slopes: Float64Array): void {
  const u = 1 - t;
  const t0 = fourth(t);
  const t1 = fourth(1 + t);
  const t2 = fourth(2 + t);
  const u0 = fourth(u);
  const u1 = fourth(1 + u);
  const u2 = fourth(2 + u);
  slopes[0] = -u0 / 24;
  slopes[1] = (6 * u0 - u1) / 24;
  slopes[2] = (6 * u1 - u2 - 15 * u0) / 24;
  slopes[3] = (t2 - 6 * t1 + 15 * t0) / 24;
  slopes[4] = (t1 - 6 * t0) / 24;
  slopes[5] = t0 / 24;
}

/** The factor by which interpolation at the nodes scales a wave of `frequency` (radians per node). */
export const splineResponse = (frequency: number): number =>
  (66 + 52 * Math.cos(frequency) + 2 * Math.cos(2 * frequency)) / 120;

const fourth = (x: number): number => x * x * (x * x);
const fifth = (x: number): number => x * x * (x * x) * x;
