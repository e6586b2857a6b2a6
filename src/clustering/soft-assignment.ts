/** Soft k-means scores (eq. S) and their KL divergence to targets (eq. kl-loss), as symbolic tensors. */
import { sum } from "../graph/operators/broadcasting.ts";
import {
  add,
  divide,
  logarithm,
  maximum,
  multiply,
  power,
  stopGradient,
  subtract,
} from "../graph/operators/elementwise.ts";
import { reshape } from "../graph/operators/layout.ts";
import { matmul } from "../graph/operators/product.ts";
import { smallestOfRow, sumSquare } from "../graph/operators/reduction.ts";
import { expectShapes } from "../graph/shape.ts";
import { differentiable, type Tensor } from "../graph/tensor.ts";

/** A target of zero adds nothing to the divergence; this keeps its logarithm finite. */
const smallestProbability = 1e-30;

/** ‖a_i − b_j‖² for each row of a and of b. Rounding can make it slightly negative, so it is clipped at zero. */
export function squaredDistances(a: Tensor, b: Tensor): Tensor {
  const cross = matmul(a, b, { right: true });
  const [rows, columns] = cross.shape;
  const squaresA = reshape(sumSquare(a, [1]), [rows, 1]);
  const squaresB = reshape(sumSquare(b, [1]), [1, columns]);
  return maximum(add(subtract(squaresA, multiply(cross, 2)), squaresB), 0);
}

/** u_ij = 1 + ‖z_i − μ_j‖² / v. */
function kernelBase(z: Tensor, centres: Tensor, v: number): Tensor {
  const distances = squaredDistances(z, centres);
  return add(v === 1 ? distances : multiply(distances, 1 / v), 1);
}

/**
 * q_ij = u_ij^(−(v+1)/2), and s_ij = q_ij / Σ_j q_ij. A large v would make every q of a row zero, so each row is first
 * divided by its smallest u, which changes q but not s and therefore needs no gradient.
 */
function scoresFromBase(u: Tensor, v: number): Tensor {
  const q = v === 1 ? divide(1, u) : power(divide(u, stopGradient(smallestOfRow(u))), -(v + 1) / 2);
  return divide(q, reshape(sum(q, [1]), [u.shape[0], 1]));
}

/** s [samples, clusters] of features z [samples, features] and centres μ [clusters, features]. */
export function softScores(z: Tensor, centres: Tensor, v = 1): Tensor {
  return scoresFromBase(kernelBase(z, centres, v), v);
}

/**
 * The mean over the batch of Σ_j r_ij log(r_ij / s_ij). The paper sums over all samples; the mean keeps the learning
 * rate independent of the batch. Gradients are the paper's (eq. gradient-z and gradient-mu); none flows to r.
 */
export function clusteringLoss(z: Tensor, centres: Tensor, targets: Tensor, v = 1): { loss: Tensor; scores: Tensor } {
  const u = kernelBase(z, centres, v);
  const scores = scoresFromBase(u, v);
  expectShapes(
    targets.shape.length === 2 && targets.shape.every((dimension, axis) => dimension === scores.shape[axis]),
    "clusteringLoss",
    [targets.shape, scores.shape],
    "targets and scores differ",
  );
  const samples = Number(z.shape[0]);
  const logRatio = subtract(
    logarithm(maximum(targets, smallestProbability)),
    logarithm(maximum(scores, smallestProbability)),
  );
  const loss = multiply(sum(multiply(targets, logRatio)), 1 / samples);
  differentiable(loss, [z, centres], (dy) => {
    // (1+v)/v (r_ij − s_ij) / u_ij, the weight of z_i − μ_j in both gradients.
    const weight = multiply(divide(subtract(targets, scores), u), multiply(dy, (1 + v) / (v * samples)));
    const dz = subtract(multiply(z, reshape(sum(weight, [1]), [samples, 1])), matmul(weight, centres));
    const dmu = subtract(
      multiply(centres, reshape(sum(weight, [0]), [centres.shape[0], 1])),
      matmul(weight, z, { left: true }),
    );
    return [dz, dmu];
  });
  return { loss, scores };
}
