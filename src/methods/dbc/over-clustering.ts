/**
 * Over-clustering, an addition to Algorithm 1: an encoder learns to tell many small groups apart before it learns the
 * clusters. What makes groups different also makes clusters different, and is not what an auto-encoder looks at.
 */
import type { FindClusters } from "../../clustering/clusters.ts";
import type { Architecture } from "../../network/architecture.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { initialClustersOf } from "../training/initial-clusters.ts";
import type { TrainingContext } from "../training/training-loop.ts";
import { algorithm2, type StageTwoAdditions, type StageTwoSettings } from "./algorithm-2.ts";
import { type EnsembleMember, memberSuffix, onlyMember, withinMembers } from "./fcae.ts";
import { PseudoLabels, warmUpThroughout } from "./pseudo-labels.ts";

export interface OverClustering {
  readonly architecture: Architecture;
  readonly autoEncoder: TrainedValues;
  /** k is the number of groups, epochs those in which they are learned. */
  readonly settings: StageTwoSettings & Required<Pick<StageTwoAdditions, "augmentation" | "finalLearningRate">>;
  /** Finds the groups. */
  readonly findClusters: FindClusters;
  /** Whose auto-encoder it is. Default: the only one. */
  readonly member?: EnsembleMember;
}

/** The name of a random stream decides results, bit for bit: this one keeps the name that it had at first. */
const randomStream = "fine groups training";

/** The encoder after it has learned small groups of the auto-encoder's features. */
export async function trainOverClustering(
  { architecture, autoEncoder, settings, findClusters, member = onlyMember }: OverClustering,
  { dataset, run, options: { evaluate, snapshots, ...quiet } }: TrainingContext,
): Promise<TrainedValues> {
  const { k, epochs, alpha, balance, augmentation, finalLearningRate } = settings;
  const context = { dataset, run, options: { ...quiet, k } };
  const suffix = memberSuffix(member);
  const groups = await initialClustersOf(architecture, autoEncoder, context, findClusters, `groups${suffix}`);
  const { parameters, statistics } = await run.once(`over-clustering${suffix}`, async () => {
    const options = { k, alpha, balance, weight: 0, schedule: warmUpThroughout };
    const start = { encoder: autoEncoder, centres: groups.centres };
    const learned = await algorithm2(architecture, start, settings, context, {
      pseudoLabels: new PseudoLabels(groups.labels, options),
      augmentation,
      finalLearningRate,
      training: {
        name: `over-clustering training${suffix}`,
        randomStream: randomStream + suffix,
        stage: "over-clustering",
        within: withinMembers(epochs, member),
      },
    });
    return { parameters: learned.parameters, statistics: learned.statistics };
  });
  return { parameters, statistics };
}
