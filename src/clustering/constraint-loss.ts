/**
 * What people have said about images, as terms of a loss on scores. For two images, Σ_j s_aj s_bj is the probability that
 * they are in one cluster (Zhang, Basu & Davidson, 2019).
 */
import { sum } from "../graph/operators/broadcasting.ts";
import { add, logarithm, multiply, negate, subtract } from "../graph/operators/elementwise.ts";
import type { Tensor } from "../graph/tensor.ts";

/** Added to probabilities: an answer that everything speaks against may be wrong, and does not pull without end. */
const smallestProbability = 1e-4;

const surprise = (probability: Tensor): Tensor => negate(logarithm(add(probability, smallestProbability)));

/** Σ_i −log s_i,y(i): scores and one-hot targets [images, k] of images whose cluster is known. */
export const knownLoss = (scores: Tensor, targets: Tensor): Tensor =>
  sum(surprise(sum(multiply(scores, targets), [1])));

/** Σ −log Σ_j s_aj s_bj: scores [pairs, k] of the first and of the second image of pairs that belong together. */
export const togetherLoss = (a: Tensor, b: Tensor): Tensor => sum(surprise(inOneCluster(a, b)));

/** Σ −log(1 − Σ_j s_aj s_bj): of pairs that do not belong together. */
export const apartLoss = (a: Tensor, b: Tensor): Tensor => sum(surprise(subtract(1, inOneCluster(a, b))));

const inOneCluster = (a: Tensor, b: Tensor): Tensor => sum(multiply(a, b), [1]);
