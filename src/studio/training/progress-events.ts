/** What `boostcluster cluster --progress json` tells, one event per line of stderr, and the studio listens to. */
import type { BatchEvent, EpochEvent, PlanEvent, WarningEvent } from "../../methods/training/progress.ts";

/** How far all planned stages are by now. */
export interface Outlook {
  /** From 0 to 1. */
  readonly share: number;
  /** Absent until something was measured. */
  readonly secondsLeft?: number;
}

/** So much of a task that is no stage is done, such as reading images. */
export interface StepEvent {
  readonly kind: "step";
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

/** For people to read. */
export interface LineEvent {
  readonly kind: "line";
  readonly text: string;
}

/** The images are open; from now on they are counted without those that were left out. */
export interface ImagesEvent {
  readonly kind: "images";
  readonly count: number;
  readonly skipped: readonly string[];
}

/** Clusters before epoch `epoch + 1`. */
export interface ClustersEvent {
  readonly kind: "clusters";
  readonly epoch: number;
  readonly clusters: readonly ClusterSample[];
}

export interface ClusterSample {
  readonly size: number;
  /** Images with the highest scores, highest first; up to 12. */
  readonly images: readonly number[];
}

export type TrainingEvent =
  | StepEvent
  | LineEvent
  | ImagesEvent
  | ClustersEvent
  | PlanEvent
  | WarningEvent
  | (BatchEvent & Outlook)
  | (EpochEvent & Outlook);
