/** What a method tells while it works. */

import type { Stage } from "../model/fitted.ts";

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

/** Something that the user should know, and what to do about it. */
export interface WarningEvent {
  readonly kind: "warning";
  readonly message: string;
}

export type ProgressEvent = BatchEvent | EpochEvent | WarningEvent;
export type OnProgress = (event: ProgressEvent) => void;
