/** When stage II is taught clusters, when they are found anew, and when it may end. */
import type { Lessons } from "./self-training.ts";

export interface LessonTimes {
  readonly epochs: number;
  /** How often, evenly, clusters are found anew. */
  readonly repairs: number;
  /** Epochs at the beginning, and after each repair, that learn clusters alone. */
  readonly warmEpochs: number;
}

export function lessonSchedule({
  epochs,
  repairs,
  warmEpochs,
}: LessonTimes): Pick<Lessons, "begin" | "teach" | "mayEnd"> {
  const beginOf = (lesson: number): number => Math.floor((lesson * epochs) / (repairs + 1)) + 1;
  const begins = Array.from({ length: repairs + 1 }, (_, lesson) => beginOf(lesson));
  return {
    begin: (epoch) => epoch > 1 && begins.includes(epoch),
    teach: (epoch) => begins.some((begin) => begin <= epoch && epoch < begin + warmEpochs),
    // Not before the network has learned from its own scores for an epoch.
    mayEnd: (epoch) => epoch > beginOf(repairs) + warmEpochs,
  };
}
