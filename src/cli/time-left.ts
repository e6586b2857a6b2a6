/** How long it will still take, as well as it can be known. */
import type { StageProgress } from "./stage-progress.ts";

/**
 * Seconds of all stages that are not done, each by its own images per second. A stage that has not begun goes at the
 * pace of the nearest stage before it, which is a guess: a step of it may cost more, or less. Undefined where nothing
 * was measured yet.
 */
export function secondsLeft(stages: readonly StageProgress[]): number | undefined {
  let pace: number | undefined;
  let seconds = 0;
  for (const { rate, imagesLeft } of stages) {
    pace = rate ?? pace;
    if (imagesLeft === 0) continue;
    if (pace === undefined) return undefined;
    seconds += imagesLeft / pace;
  }
  return seconds;
}

const minute = 60;
const hour = 60 * minute;

/** No more exact than it is known: "a few seconds", "about 25 s", "about 3 min", "about 1 h 20 min". */
export function aboutTime(seconds: number): string {
  if (seconds < 7.5) return "a few seconds";
  if (seconds < 57.5) return `about ${5 * Math.round(seconds / 5)} s`;
  if (seconds < hour - minute / 2) return `about ${Math.round(seconds / minute)} min`;
  const tens = Math.round(seconds / (10 * minute));
  const minutes = 10 * (tens % 6);
  return `about ${Math.floor(tens / 6)} h${minutes === 0 ? "" : ` ${minutes} min`}`;
}
