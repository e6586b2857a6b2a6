/** One folder per cluster, of links or copies, or of the originals themselves where that is asked for. */
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, unfinishedFolder } from "../../files/atomic.ts";
import { fileError, InputError } from "../../files/errors.ts";
import { moveOriginals } from "./move-journal.ts";
import type { OrganizePlan } from "./plan.ts";

export interface Organized {
  /** The folder that was made. */
  readonly out: string;
  /** Images in it. */
  readonly images: number;
  /** Where originals were moved: the file by which `undoMoves` takes it all back. */
  readonly journal?: string;
}

/** Makes what the plan says, or nothing. */
export function organize(plan: OrganizePlan): Organized {
  const { by, out, placements, refused } = plan;
  if (refused !== undefined) throw new InputError(refused);
  const made = { out, images: placements.length };
  if (by === "move") return { ...made, journal: moveOriginals(plan) };
  makeFolder(dirname(out));
  const unfinished = unfinishedFolder(out);
  try {
    for (const { from, to } of placements) {
      const target = join(unfinished, to);
      mkdirSync(dirname(target), { recursive: true });
      if (by === "copy") copyFileSync(from, target);
      else symlinkSync(from, target);
    }
    renameSync(unfinished, out);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw fileError("write", out, error);
  }
  return made;
}
