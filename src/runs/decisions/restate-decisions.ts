/**
 * What was decided, said anew of a run that has learned it: its model has the clusters that were made and merged, and what
 * is left to say is what clusters are called, where single images are, and which belong together.
 */
import { clusterReference } from "./cluster-reference.ts";
import type { DecidedConstraints } from "./constraints.ts";
import type { Action, ImageKey } from "./decision.ts";
import { sayers } from "./fold-decisions.ts";

export interface LearnedClusters {
  /** Of each cluster that was decided, its number in the run that has learned it. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Of each image. */
  readonly keys: readonly ImageKey[];
  /** The cluster of each image there, and its score. */
  readonly assignments: Int32Array;
  readonly scores: ArrayLike<number>;
}

export function restatedDecisions(
  { decided, answers }: Pick<DecidedConstraints, "decided" | "answers">,
  learned: LearnedClusters,
): readonly Action[] {
  const { numbers, keys, assignments, scores } = learned;
  const keysWhere = (is: (image: number) => boolean): ImageKey[] => [...new Set(keys.filter((_, image) => is(image)))];
  const ofClusters = decided.clusters.flatMap(({ cluster, name }): Action[] => {
    const number = numbers.get(cluster);
    if (number === undefined) return [];
    const of = clusterReference(number, { keys, scores, decided: { cluster: assignments } });
    const isHere = (image: number): boolean => decided.cluster[image] === cluster;
    const confirmed = keysWhere((image) => isHere(image) && decided.confirmed[image] === 1);
    const moved = keysWhere(
      (image) => isHere(image) && decided.confirmed[image] === 0 && decided.by[image] === sayers.person,
    );
    return [
      ...(name === undefined ? [] : [{ kind: "rename", of, name } as const]),
      ...(moved.length === 0 ? [] : [{ kind: "move", images: moved, to: of } as const]),
      ...(confirmed.length === 0 ? [] : [{ kind: "confirm", images: confirmed, of } as const]),
    ];
  });
  const aside = keysWhere((image) => decided.cluster[image] < 0);
  // Answers about two images come last, and so hold there as well.
  return [...ofClusters, ...(aside.length === 0 ? [] : [{ kind: "aside", images: aside } as const]), ...answers];
}
