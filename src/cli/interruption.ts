/** Work that keeps what it has done, and goes on with it when the same command is given again. */
import { existsSync } from "node:fs";
import { InterruptedError } from "../files/errors.ts";
import { counted } from "../numeric/format.ts";
import type { Checkpoint } from "../runs/checkpoint.ts";
import { historyFromNote } from "../runs/fitted.ts";
import type { CommandContext } from "./command.ts";
import { stageNames } from "./progress-lines.ts";

export async function untilInterrupted<Result>(
  out: string,
  { signal }: CommandContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new InterruptedError(
      existsSync(out)
        ? `interrupted; ${out} has what was finished, and the last checkpoint of what was not: go on with the same command`
        : "interrupted before anything was done; nothing was saved",
    );
  }
}

/** How far the work had come that a checkpoint holds: where writing is slow, not every epoch has one. */
export function savedWork({ history }: Checkpoint["notes"]): string {
  const last = historyFromNote(history).at(-1);
  return last === undefined
    ? "what came before the first epoch"
    : `${counted(last.epoch, "epoch")} of ${stageNames[last.stage]}`;
}
