/** Terms that make the features of an auto-encoder fit for clustering, as symbolic scalars: means over the batch. */
import { sum } from "../../graph/operators/broadcasting.ts";
import { add, exponential, logarithm, multiply, squareRoot, subtract } from "../../graph/operators/elementwise.ts";
import { concatenate, reshape, slice } from "../../graph/operators/layout.ts";
import { mean, sumSquare } from "../../graph/operators/reduction.ts";
import { expectShapes } from "../../graph/shape.ts";
import { input, type Tensor } from "../../graph/tensor.ts";

/** ‖z_i − c_i‖², where c_i is the row i of the input `anchors` [batch, d]: the centre of the image's cluster. */
export function compactness(z: Tensor): Tensor {
  return multiply(sumSquare(subtract(z, input("anchors", z.shape))), 1 / Number(z.shape[0]));
}

/**
 * w_i ‖z_i − z'_i‖²: the second half of the batch are neighbours of the first, and the input `affinities` [batch / 2]
 * says how near they are.
 */
export function locality(z: Tensor): Tensor {
  const pairs = Number(z.shape[0]) / 2;
  expectShapes(Number.isInteger(pairs), "locality", [z.shape], "must be images and as many neighbours");
  const first = slice(z, [{ axis: 0, start: 0, end: pairs }]);
  const second = slice(z, [{ axis: 0, start: pairs, end: 2 * pairs }]);
  const distances = sumSquare(subtract(first, second), [1]);
  return multiply(sum(multiply(input("affinities", [pairs]), distances)), 1 / pairs);
}

/**
 * Half the geometric mean of ‖z_i − z_j‖², where z_j is the next row: what a penalty is divided by, so that it is the
 * same for features of any scale. Of normal features it is about their variance; but a few that are far from all others,
 * which would make any variance, hardly change it.
 */
export function typicalVariance(z: Tensor): Tensor {
  const rows = Number(z.shape[0]);
  const others = concatenate(
    [slice(z, [{ axis: 0, start: 1, end: rows }]), slice(z, [{ axis: 0, start: 0, end: 1 }])],
    0,
  );
  const distances = add(sumSquare(subtract(z, others), [1]), smallest);
  return multiply(exponential(mean(logarithm(distances), [0])), 0.5);
}

/** Keeps square roots and quotients differentiable where features are all zero. */
const smallest = 1e-12;

/** Σ_g √|g| ‖z_ig‖, the features cut into groups of `size`: whole groups are drawn to zero. */
export function groupSparsity(z: Tensor, size: number): Tensor {
  const [batch, features] = z.shape.map(Number);
  expectShapes(features % size === 0, "groupSparsity", [z.shape], `do not make groups of ${size}`);
  const norms = squareRoot(add(sumSquare(reshape(z, [batch, features / size, size]), [2]), smallest));
  return multiply(sum(norms), Math.sqrt(size) / batch);
}
