/** Work that keeps what it has done, and goes on with it when the same command is given again. */
import { existsSync } from "node:fs";
import { InterruptedError } from "../files/errors.ts";
import type { CommandContext } from "./command.ts";

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
        ? `interrupted; what is done is saved in ${out}: go on with the same command`
        : "interrupted before anything was done; nothing was saved",
    );
  }
}
