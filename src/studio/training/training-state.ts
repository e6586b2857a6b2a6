/** How far clustering is, put together from what the process tells. */
import type { HistoryEntry, Stage } from "../../runs/fitted.ts";
import type { TrainingState } from "../api.ts";
import type { TrainingEvent } from "./progress-events.ts";

type Loss = TrainingState["losses"][number];

/** Stages in the words of the page. */
const stageNames = {
  layers: "layer by layer",
  "auto-encoder": "auto-encoder",
  "over-clustering": "over-clustering",
  partitions: "partitions",
  clustering: "clustering",
} as const satisfies Record<Stage, string>;

/** Of everything: reading comes before the stages, the report after them. What each takes differs; this is usual. */
const shares = { reading: 0.05, stages: 0.85, report: 0.1 };

export const begun: TrainingState = { state: "running", stage: "starting", done: 0, losses: [], clusters: [] };

/** An interrupted run, of which little is known before it goes on. */
export const interrupted = (history: readonly HistoryEntry[]): TrainingState => ({
  ...begun,
  state: "stopped",
  stage: "interrupted",
  losses: history.map(lossOf),
});

export function advanced(state: TrainingState, event: TrainingEvent): TrainingState {
  switch (event.kind) {
    case "step":
      return stepped(state, event.name, event.total === 0 ? 0 : event.done / event.total);
    case "plan":
      return { ...withoutEpoch(state), stage: "preparing", done: Math.max(state.done, shares.reading) };
    case "batch":
    case "epoch": {
      const { stage, epoch, epochs, share, secondsLeft } = event;
      return {
        ...withoutEpoch(state),
        stage: stageNames[stage],
        done: Math.max(state.done, shares.reading + shares.stages * share),
        epoch,
        epochs,
        ...(secondsLeft === undefined ? {} : { secondsLeft }),
        ...(event.kind === "epoch" ? { losses: [...state.losses, lossOf(event)] } : {}),
      };
    }
    case "clusters":
      return { ...state, clusters: event.clusters };
    default:
      return state;
  }
}

function stepped(state: TrainingState, name: string, share: number): TrainingState {
  const report = name.startsWith("report");
  const done = report ? 1 - shares.report * (1 - share) : shares.reading * share;
  return { ...withoutEpoch(state), stage: report ? "report" : name, done: Math.max(state.done, done) };
}

function withoutEpoch({ epoch, epochs, secondsLeft, ...rest }: TrainingState): TrainingState {
  return rest;
}

function lossOf({ stage, loss, changed }: Pick<HistoryEntry, "stage" | "loss" | "changed">): Loss {
  return { stage: stageNames[stage], loss, ...(changed === undefined ? {} : { changed }) };
}
