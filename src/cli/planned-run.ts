/** A plan that a method announced, and how far it has come with it. */
import type { BatchEvent, EpochEvent, PlanEvent } from "../methods/training/progress.ts";
import { StageProgress } from "./stage-progress.ts";
import { secondsLeft } from "./time-left.ts";

/** Times are in seconds, by the caller's clock. */
export class PlannedRun {
  readonly stages: readonly StageProgress[];
  readonly #began: number;
  #lastTime: number;
  #lastStage: StageProgress | undefined;

  constructor({ stages }: PlanEvent, now: number) {
    this.stages = stages.map((stage) => new StageProgress(stage));
    this.#began = now;
    this.#lastTime = now;
  }

  /** Returns the stages that are over by now, and were not before. */
  advance(event: BatchEvent | EpochEvent, now: number): readonly StageProgress[] {
    const stage = this.stages.find((one) => one.stage === event.stage);
    if (stage === undefined) return [];
    stage.advance(event, { seconds: now - this.#lastTime, steady: stage === this.#lastStage });
    this.#lastTime = now;
    this.#lastStage = stage;
    const ended = event.kind === "epoch" && stage.epochsDone >= stage.epochs;
    const over = this.#overBefore(stage, ended);
    return finished(ended ? [...over, stage] : over);
  }

  /**
   * Several starts of stage II train their auto-encoders and over-clusterings in turn: one that has begun may come back
   * until a stage after it ends, or the last stage begins. One that has not was done by an earlier process.
   */
  #overBefore(stage: StageProgress, ended: boolean): readonly StageProgress[] {
    const index = this.stages.indexOf(stage);
    const last = index === this.stages.length - 1;
    return this.stages.slice(0, index).filter(({ state }) => (ended || last ? state !== "done" : state === "to come"));
  }

  /** All is done, whatever was not told. Returns the stages that were not over. */
  complete(): readonly StageProgress[] {
    return finished(this.stages.filter(({ state }) => state !== "done"));
  }

  /** The stage that is under way or being prepared. */
  get current(): StageProgress | undefined {
    return this.#lastStage?.state === "under way" ? this.#lastStage : this.stages.find(({ state }) => state !== "done");
  }

  /** From 0 to 1, by images. */
  get share(): number {
    const all = this.stages.reduce((sum, { images }) => sum + images, 0);
    return all === 0 ? 1 : 1 - this.stages.reduce((sum, { imagesLeft }) => sum + imagesLeft, 0) / all;
  }

  seconds(now: number): number {
    return now - this.#began;
  }

  /** What was predicted at the last event, less the time since then. */
  secondsLeft(now: number): number | undefined {
    const left = secondsLeft(this.stages);
    return left === undefined ? undefined : Math.max(0, left - (now - this.#lastTime));
  }
}

function finished(stages: readonly StageProgress[]): readonly StageProgress[] {
  for (const stage of stages) stage.state = "done";
  return stages;
}
