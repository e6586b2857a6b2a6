/**
 * What was decided, said anew of a run that has learned it: its model has the clusters that were made and merged, and what
 * is left to say is what clusters are called, where single images are, and which belong together.
 */
import { clusterReference } from "./cluster-reference.ts";
import type { DecidedConstraints } from "./constraints.ts";
import type { Action, ImageKey } from "./decision.ts";

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
  { decided, answers, asked, placed }: Pick<DecidedConstraints, "decided" | "answers" | "asked" | "placed">,
  learned: LearnedClusters,
): readonly Action[] {
  const { numbers, keys, assignments, scores } = learned;
  const keysWhere = (is: (image: number) => boolean): ImageKey[] => [...new Set(keys.filter((_, image) => is(image)))];
  const ofClusters = decided.clusters.flatMap(({ cluster, name }): Action[] => {
    const number = numbers.get(cluster);
    if (number === undefined) return [];
    const of = clusterReference(number, { keys, scores, decided: { cluster: assignments } });
    const isHere = (image: number): boolean => decided.cluster[image] === cluster;
    const isConfirmed = (image: number): boolean => decided.confirmed[image] === 1;
    const isMoved = (image: number): boolean => !isConfirmed(image) && placed[image] === 1;
    // Answers to questions stay what they are.
    const ofImages = [false, true].flatMap((answered): Action[] => {
      const isOne = (image: number): boolean => isHere(image) && (asked[image] === 1) === answered;
      const moved = keysWhere((image) => isOne(image) && isMoved(image));
      const confirmed = keysWhere((image) => isOne(image) && isConfirmed(image));
      const note = answered ? { asked: true } : {};
      return [
        ...(moved.length === 0 ? [] : [{ kind: "move", images: moved, to: of, ...note } as const]),
        ...(confirmed.length === 0 ? [] : [{ kind: "confirm", images: confirmed, of, ...note } as const]),
      ];
    });
    return [...(name === undefined ? [] : [{ kind: "rename", of, name } as const]), ...ofImages];
  });
  const aside = keysWhere((image) => decided.cluster[image] < 0);
  // Answers about two images come last, and so hold there as well.
  return [...ofClusters, ...(aside.length === 0 ? [] : [{ kind: "aside", images: aside } as const]), ...answers];
}
