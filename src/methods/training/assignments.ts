/** Hard assignments while a method trains: how they come from scores, and what there is to say of them. */
import type { HistoryEntry } from "../../runs/fitted.ts";
import type { MethodOptions } from "../method.ts";
import type { OnProgress } from "./progress.ts";

/** The cluster with the highest score, for each image. */
export function hardAssignments(scores: Float32Array, k: number): Int32Array {
  return Int32Array.from({ length: scores.length / k }, (_, image) => {
    let best = 0;
    for (let j = 1; j < k; j++) if (scores[image * k + j] > scores[image * k + best]) best = j;
    return best;
  });
}

/** The share of images that are in another cluster than before; undefined where most were in none that is known (−1). */
export function changedShare(before: Int32Array | undefined, after: Int32Array): number | undefined {
  if (before === undefined) return undefined;
  let [changed, known] = [0, 0];
  for (let i = 0; i < after.length; i++) {
    if (before[i] < 0) continue;
    known++;
    if (before[i] !== after[i]) changed++;
  }
  return 2 * known < after.length ? undefined : changed / known;
}

/** What the history says of the clusters that an epoch begins with; `images` says whose they are, where not of all. */
export function clusterNotes(
  labels: Int32Array,
  before: Int32Array | undefined,
  { evaluate }: MethodOptions,
  images?: Uint32Array,
): Pick<HistoryEntry, "changed" | "metrics"> {
  const changed = changedShare(before, labels);
  const metrics = evaluate?.(labels, images);
  return { ...(changed === undefined ? {} : { changed }), ...(metrics === undefined ? {} : { metrics }) };
}

/** Warns once of clusters without images, which hardly ever come back: only small scores still pull their centres. */
export class CollapseWarning {
  readonly #onProgress: OnProgress | undefined;
  #warned = false;

  constructor(onProgress: OnProgress | undefined) {
    this.#onProgress = onProgress;
  }

  look(assignments: Int32Array, k: number): void {
    const empty = k - new Set(assignments).size;
    if (this.#warned || empty === 0) return;
    this.#warned = true;
    this.#onProgress?.({
      kind: "warning",
      message: `${empty} of ${k} clusters have died; lower the learning rate of stage II, use balance "boosted" or fewer clusters`,
    });
  }
}
