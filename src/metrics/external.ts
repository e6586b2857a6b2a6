/** How well clusters agree with true classes. Labels are whole numbers from 0; only which items share one matters. */
import { accuracyOf, type ConfusionMatrix, confusionMatrixOf, optimalMapOf } from "./assignment.ts";
import { type ContingencyTable, contingencyTable } from "./contingency.ts";
import { ariOf, purityOf } from "./counting.ts";
import { completenessOf, homogeneityOf, nmiArithmeticOf, nmiOf } from "./information.ts";

type OfLabels<Result> = (truth: ArrayLike<number>, predicted: ArrayLike<number>) => Result;

const ofLabels =
  <Result>(ofTable: (table: ContingencyTable) => Result): OfLabels<Result> =>
  (truth, predicted) =>
    ofTable(contingencyTable(truth, predicted));

/** ACC: the share of the items whose cluster is mapped to their class, under the best one-to-one map. */
export const accuracy: OfLabels<number> = ofLabels(accuracyOf);
/** That map, cluster → class. Where there are more clusters than classes, some are unmapped. */
export const optimalMap: OfLabels<Map<number, number>> = ofLabels(optimalMapOf);
/** Classes against clusters, ordered by that map. */
export const confusionMatrix: OfLabels<ConfusionMatrix> = ofLabels(confusionMatrixOf);
/** The paper's NMI: mutual information over the larger of the two entropies. */
export const nmi: OfLabels<number> = ofLabels(nmiOf);
/** Mutual information over the mean of the two entropies: scikit-learn's default. */
export const nmiArithmetic: OfLabels<number> = ofLabels(nmiArithmeticOf);
/** The adjusted Rand index. */
export const ari: OfLabels<number> = ofLabels(ariOf);
/** 1 where each cluster holds items of one class only. */
export const homogeneity: OfLabels<number> = ofLabels(homogeneityOf);
/** 1 where each class is in one cluster only. */
export const completeness: OfLabels<number> = ofLabels(completenessOf);
/** The share of the items that belong to the most frequent class of their cluster. */
export const purity: OfLabels<number> = ofLabels(purityOf);

export interface Evaluation {
  readonly acc: number;
  readonly nmi: number;
  readonly nmiArithmetic: number;
  readonly ari: number;
  readonly homogeneity: number;
  readonly completeness: number;
  readonly purity: number;
}

/** All metrics at once. */
export function evaluateClustering(truth: ArrayLike<number>, predicted: ArrayLike<number>): Evaluation {
  const table = contingencyTable(truth, predicted);
  return {
    acc: accuracyOf(table),
    nmi: nmiOf(table),
    nmiArithmetic: nmiArithmeticOf(table),
    ari: ariOf(table),
    homogeneity: homogeneityOf(table),
    completeness: completenessOf(table),
    purity: purityOf(table),
  };
}
