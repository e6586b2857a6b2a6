/**
 * Fine groups: an encoder learns to tell many small groups apart before it learns the clusters. What makes groups
 * different also makes clusters different, and is not what an auto-encoder looks at.
 */
import type { Images } from "../dataset.ts";
import { sideBySide } from "../manifold/side-by-side.ts";
import { type Matrix, matrix } from "../matrix.ts";
import type { Architecture } from "../network/architecture.ts";
import type { OptimizerOptions } from "../network/optimizer.ts";
import { featureSize } from "../network/shapes.ts";
import type { TrainedValues } from "../network/trained.ts";
import { onlyTurn, type Turn, turnSuffix, withinTurns } from "./fcae.ts";
import { type clusterFeatures, featuresOf, initialClusters, withCentres } from "./feature-clusters.ts";
import type { MethodOptions } from "./method.ts";
import { type Lessons, type SelfTrainingSettings, selfTrain } from "./self-training.ts";
import type { TrainingContext } from "./training.ts";

export interface FineGroupTraining {
  readonly architecture: Architecture;
  readonly autoEncoder: TrainedValues;
  /** k is the number of fine groups, epochs those in which they are learned. */
  readonly settings: SelfTrainingSettings;
  readonly optimizer: OptimizerOptions;
  /** Finds the groups. */
  readonly find: typeof clusterFeatures;
  /** Which of several it is. Default: the only one. */
  readonly turn?: Turn;
}

/** The encoder after it has learned the fine groups of the auto-encoder's features. */
export async function learnFineGroups(
  { architecture, autoEncoder, settings, optimizer, find, turn = onlyTurn }: FineGroupTraining,
  { dataset, course, options: { evaluate, snapshots, ...quiet } }: TrainingContext,
): Promise<TrainedValues> {
  const context = { dataset, course, options: { ...quiet, k: settings.k } };
  const suffix = turnSuffix(turn);
  const groups = await initialClusters(architecture, autoEncoder, context, find, `fine groups${suffix}`);
  const { parameters, statistics } = await course.phase(`encoder of fine groups${suffix}`, async () => {
    const learned = await selfTrain(
      {
        architecture,
        trained: withCentres(architecture, autoEncoder, groups.centres),
        settings,
        optimizer,
        lessons: wholeLesson(groups.labels),
        stage: "fine groups",
        phase: `fine groups training${suffix}`,
        within: withinTurns(settings.epochs, turn),
      },
      context,
    );
    return { parameters: learned.parameters, statistics: learned.statistics };
  });
  return { parameters, statistics };
}

/** One that is taught from the first epoch to the last. */
const wholeLesson = (first: Int32Array): Lessons => ({
  first,
  begin: () => false,
  teach: () => true,
  mayEnd: () => false,
  find: () => Promise.reject(new Error("there is one lesson only")),
});

export interface JointFeatures {
  /** Of all encoders. */
  readonly joint: Matrix;
  /** Of the last of them, by itself. */
  readonly last: Matrix;
}

/**
 * What several encoders see, side by side: fine groups teach what makes images different, but how groups belong together
 * is unlearned with them, and the auto-encoder still knows.
 */
export async function jointFeatures(
  dataset: Images,
  architecture: Architecture,
  encoders: readonly TrainedValues[],
  options: MethodOptions,
): Promise<JointFeatures> {
  const parts: Matrix[] = [];
  for (const encoder of encoders)
    parts.push(
      matrix(await featuresOf(dataset, architecture, encoder, options), featureSize(architecture), "features"),
    );
  return { joint: parts.length === 1 ? parts[0] : sideBySide(...parts), last: parts[parts.length - 1] };
}
