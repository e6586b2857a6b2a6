/**
 * Trials, an addition to both algorithms: they are repeated from other seeds, and the clusters with the lowest mean
 * normalized cut are kept. All are compared in one graph, of the images themselves: features tell how well their own
 * clusters are separated, and the loss that was minimized tells little.
 */
import { neighbourGraphOf } from "../../clustering/graph-clusters.ts";
import type { NeighbourGraph } from "../../clustering/neighbour-graph.ts";
import { meanNormalizedCut } from "../../clustering/normalized-cut.ts";
import type { Images } from "../../images/dataset.ts";
import { shrinkFactor, shrunkDataset } from "../../images/shrunk-dataset.ts";
import { type Architecture, pixelArchitecture } from "../../network/architecture.ts";
import { type TrainedValues, untrained } from "../../network/trained.ts";
import type { MethodOptions } from "../method.ts";
import { hardAssignments } from "../training/assignments.ts";
import { featuresOf, scoresOf } from "../training/features.ts";
import type { Vectors } from "../training/resumable-run.ts";
import type { TrainingContext } from "../training/training-loop.ts";

/** What both algorithms end with. */
export interface Attempt {
  readonly autoEncoder: TrainedValues;
  readonly trained: TrainedValues;
  readonly converged: boolean;
}

export interface Trials {
  readonly trials: number;
  readonly network: Architecture;
  /** The degrees of freedom v of the scores. */
  readonly v: number;
}

/** Finer details are not compared. */
const comparedSide = 32;

/** Of several attempts, numbered from 0, the one whose clusters hang together best; one alone is not measured. */
export async function bestOfTrials(
  { trials, network, v }: Trials,
  { dataset, run, options }: TrainingContext,
  attempt: (trial: number) => Promise<Attempt>,
): Promise<Attempt> {
  if (trials === 1) return attempt(0);
  const graph = await pixelGraph(dataset, options);
  const { k } = options;
  const attempts: { readonly attempt: Attempt; readonly cut: number }[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const kept = await run.once(`trial ${trial + 1}`, async () => {
      const made = await attempt(trial);
      const { scores } = await scoresOf(dataset, network, made.trained, { ...options, v, keepFeatures: false });
      return toVectors(made, meanNormalizedCut(graph, hardAssignments(scores, k), k));
    });
    attempts.push(fromVectors(kept));
  }
  return attempts.reduce((best, other) => (other.cut < best.cut ? other : best)).attempt;
}

/** The neighbour graph of the images themselves. */
export async function pixelGraph(dataset: Images, options: MethodOptions): Promise<NeighbourGraph> {
  const seen = shrunkDataset(dataset, shrinkFactor(dataset.image, comparedSide));
  const pixels = await featuresOf(seen, pixelArchitecture(seen.image), untrained, options);
  return neighbourGraphOf(pixels, options);
}

const toVectors = ({ autoEncoder, trained, converged }: Attempt, cut: number): Vectors => ({
  autoEncoderParameters: autoEncoder.parameters,
  autoEncoderStatistics: autoEncoder.statistics,
  parameters: trained.parameters,
  statistics: trained.statistics,
  measured: Float32Array.of(cut, Number(converged)),
});

function fromVectors(kept: Vectors): { readonly attempt: Attempt; readonly cut: number } {
  const { autoEncoderParameters, autoEncoderStatistics, parameters, statistics, measured } = kept;
  const autoEncoder = { parameters: autoEncoderParameters, statistics: autoEncoderStatistics };
  return {
    attempt: { autoEncoder, trained: { parameters, statistics }, converged: measured[1] === 1 },
    cut: measured[0],
  };
}
