/** What a method tells while it works. */

import type { Stage } from "../../runs/fitted.ts";

/** A batch is done: `done` of `total` of this epoch, each of `batch` images. */
export interface BatchEvent {
  readonly kind: "batch";
  readonly stage: Stage;
  readonly epoch: number;
  readonly epochs: number;
  readonly done: number;
  readonly total: number;
  readonly batch: number;
}

export interface EpochEvent {
  readonly kind: "epoch";
  readonly stage: Stage;
  readonly epoch: number;
  readonly epochs: number;
  readonly loss: number;
  /** The share of images whose cluster changed, where there are clusters. */
  readonly changed?: number;
}

/** What the method is going to do, told once before it begins, so that the time left of everything can be told. */
export interface PlanEvent {
  readonly kind: "plan";
  readonly stages: readonly PlannedStage[];
}

/** A stage may end before its last epoch. */
export interface PlannedStage {
  readonly stage: Stage;
  readonly epochs: number;
  /** Steps of an epoch, and images of a step. */
  readonly batches: number;
  readonly batch: number;
}

/** Something that the user should know, and what to do about it. */
export interface WarningEvent {
  readonly kind: "warning";
  readonly message: string;
}

export type ProgressEvent = PlanEvent | BatchEvent | EpochEvent | WarningEvent;
export type OnProgress = (event: ProgressEvent) => void;

/** Tells the plan; stages without epochs are none. */
export const announce = ({ onProgress }: { readonly onProgress?: OnProgress }, stages: readonly PlannedStage[]): void =>
  onProgress?.({ kind: "plan", stages: stages.filter(({ epochs }) => epochs > 0) });
