/**
 * Which originals were moved, and from where: `moves.jsonl` in the folder that they were moved to. All of it is on the
 * disk before the first file is moved, so that everything can be taken back, wherever the process was killed.
 */
import { readFileSync, renameSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { makeFolder, syncFolder, unfinishedFolder, writeChunksAtomically } from "../../files/atomic.ts";
import { DamagedFileError, fileError, InputError } from "../../files/errors.ts";
import { counted } from "../../numeric/format.ts";
import { journalName } from "./folder-names.ts";
import { moveFile, takeBack } from "./move-file.ts";
import type { OrganizePlan, Placement } from "./plan.ts";

const heading = { boostcluster: "moves", format: 1 };

/** Moves the originals and returns where the journal is; if one cannot be moved, all are where they were. */
export function moveOriginals({ out, placements }: Pick<OrganizePlan, "out" | "placements">): string {
  const journal = join(out, journalName);
  writeJournal(out, placements);
  try {
    for (const { from, to } of placements) moveFile(from, join(out, to));
  } catch (error) {
    undoMoves(journal);
    throw fileError("write", out, error);
  }
  return journal;
}

/** The folder comes with its journal, or not at all. */
function writeJournal(out: string, placements: readonly Placement[]): void {
  const unfinished = unfinishedFolder(out);
  try {
    makeFolder(unfinished);
    const lines = [heading, ...placements].map((line) => `${JSON.stringify(line)}\n`);
    writeChunksAtomically(join(unfinished, journalName), lines);
    syncFolder(unfinished);
    renameSync(unfinished, out);
    syncFolder(dirname(out));
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw fileError("write", out, error);
  }
}

/** Takes all moves back: given the journal, or the folder that it is in. Returns how many files there are. */
export function undoMoves(place: string): number {
  const journal = statSync(place, { throwIfNoEntry: false })?.isDirectory() ? join(place, journalName) : place;
  const out = dirname(resolve(journal));
  const placements = readJournal(journal);
  const kept = placements.flatMap(({ from, to }) => {
    const reason = takeBack(from, join(out, to));
    return reason === undefined ? [] : [`${from}: ${reason}`];
  });
  if (kept.length > 0)
    throw new InputError(
      `${counted(kept.length, "file")} could not be taken back, all others are: ${kept.slice(0, 3).join("; ")}; see to it and try again`,
    );
  for (const folder of new Set(placements.map(({ from }) => dirname(from)))) syncFolder(folder);
  removeEmpty(out, placements);
  rmSync(journal);
  tryToRemove(out);
  return placements.length;
}

/** Where originals are now that were moved to that folder, by where they were. */
export function movedFiles(out: string): ReadonlyMap<string, string> {
  return new Map(readJournal(join(out, journalName)).map(({ from, to }) => [from, join(out, to)]));
}

function readJournal(path: string): readonly Placement[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw fileError("read", path, error);
  }
  const [first, ...lines] = text.trimEnd().split("\n").map(parse);
  if (JSON.stringify(first) !== JSON.stringify(heading) || !lines.every(isPlacement))
    throw new DamagedFileError(`${path}: this is not a list of moved files; give the one that "organize" wrote`);
  return lines;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isPlacement = (line: unknown): line is Placement =>
  typeof line === "object" &&
  line !== null &&
  "from" in line &&
  "to" in line &&
  typeof line.from === "string" &&
  typeof line.to === "string" &&
  isAbsolute(line.from) &&
  isInside(line.to);

const isInside = (path: string): boolean => !isAbsolute(path) && !normalize(path).startsWith("..");

/** The folders that were made, as long as nothing else is in them; those inside others first. */
function removeEmpty(out: string, placements: readonly Placement[]): void {
  const folders = new Set(placements.flatMap(({ to }) => [dirname(to), dirname(dirname(to))]));
  folders.delete(".");
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) tryToRemove(join(out, folder));
}

function tryToRemove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody has put something into it.
  }
}
