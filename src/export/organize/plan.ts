/** What `organize` would make of a run: a folder for each cluster, and in them the images. */
import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { clusterLevel, cutAtLevel } from "../../clustering/cluster-tree.ts";
import { InputError } from "../../files/errors.ts";
import { clusterNames, type DecidedRow, type DecidedRun, readDecided } from "../../runs/decisions/decided-run.ts";
import { readStacks } from "../../runs/duplicates-file.ts";
import { readRecord } from "../../runs/run-record.ts";
import { readTree } from "../../runs/tree-file.ts";
import { asideFolder, clusterFolders, freeName, journalName, noneFolder } from "./folder-names.ts";

export interface OrganizeOptions {
  /** Links take no space; copies can be given away; moving is for the originals, and can be undone. Default: "link". */
  readonly by?: "link" | "copy" | "move" | undefined;
  /** The folder to make. Default: `clusters` in the run; where originals are moved, beside their folder. */
  readonly out?: string | undefined;
  /** Number of groups: fewer than the model's clusters merge some, more split them. Default: the clusters. */
  readonly level?: number | undefined;
  /** Copies beside the best of their stack, among the other images, or nowhere. Default: "aside". */
  readonly duplicates?: "aside" | "together" | "leave-out" | undefined;
  /** Where the images are now. Default: where they were when the run was made. */
  readonly images?: string | undefined;
  /** The model's own clusters, as if nobody had decided anything. Default: false. */
  readonly model?: boolean | undefined;
}

/** One image on its way. */
export interface Placement {
  /** Absolute. */
  readonly from: string;
  /** Relative to the folder that is made. */
  readonly to: string;
}

export interface OrganizePlan {
  readonly by: "link" | "copy" | "move";
  /** The folder to make. */
  readonly out: string;
  /** Each cluster's, by name, and how many images it gets. */
  readonly folders: readonly { readonly name: string; readonly images: number }[];
  readonly placements: readonly Placement[];
  /** Copies that go nowhere. */
  readonly leftOut: number;
  /** Why it cannot be made, in one line that says what to do. */
  readonly refused?: InputError;
}

/** Nothing is made yet; the images must be files of a folder. */
export async function organizePlan(run: string, options: OrganizeOptions = {}): Promise<OrganizePlan> {
  const { by = "link", level, duplicates = "aside", images, model = false } = options;
  const source = resolve(images ?? sourceFolder(run));
  const { out = by === "move" ? movedFolder(source) : join(run, "clusters") } = options;
  const decided = await readDecided(run, { model, images: source });
  const { rows } = decided;
  const folders = level === undefined ? foldersOf(decided) : levelFolders(run, rows, level);
  const bests = duplicates === "together" ? new Map<number, number>() : bestsOfCopies(run, rows, folders);
  const targets = placeImages(rows, folders, bests, duplicates !== "leave-out");
  const placements = [...targets].map(([image, to]) => ({ from: resolve(source, rows[image].item), to }));
  const refused = refusal({ run, by, source, out, placements });
  return {
    by,
    out,
    folders: folderSizes([...targets.keys()].map((image) => folders[image])),
    placements,
    leftOut: rows.length - placements.length,
    ...(refused === undefined ? {} : { refused }),
  };
}

/** Where originals are moved to, unless somebody says otherwise: beside their folder. */
export const movedFolder = (source: string): string => `${source}-clusters`;

/** The images must be files: a folder was clustered. */
function sourceFolder(run: string): string {
  const { source } = readRecord(run).settings;
  if (typeof source === "string" && statSync(source, { throwIfNoEntry: false })?.isDirectory()) return source;
  throw new InputError(
    `${run}: only a folder of images can be organized, and ${String(source)} is none; if it has moved, say where the images are`,
    { option: "images" },
  );
}

/** The folder of each image: its cluster's. */
function foldersOf({ rows, decided }: DecidedRun): string[] {
  const names = decided === undefined ? new Map<number, string>() : clusterNames(decided);
  const folders = clusterFolders(new Set(rows.map(({ cluster }) => cluster)), names);
  return rows.map((row) => specialFolder(row) ?? folders.get(row.cluster) ?? String(row.cluster));
}

const specialFolder = ({ aside, none }: DecidedRow): string | undefined =>
  aside ? asideFolder : none ? noneFolder : undefined;

/** As many coarser or finer groups as `level` says, of the model's own tree. */
function levelFolders(run: string, rows: readonly DecidedRow[], level: number): string[] {
  const tree = readTree(run);
  if (tree?.groups.length !== rows.length)
    throw new InputError(
      `${run}: it has no tree.json of its images, so that a level cannot be used; make the run again`,
      { option: "level" },
    );
  // Clusters that have lost all their images are clusters of the run, but not of the tree.
  const clusters = readRecord(run).k;
  const { names, groups } = cutAtLevel(tree, level === clusters ? clusterLevel(tree) : level);
  return rows.map((row, image) => specialFolder(row) ?? names[groups[image]]);
}

/** For each copy the best of its stack, unless a person has parted them. */
function bestsOfCopies(
  run: string,
  rows: readonly DecidedRow[],
  folders: readonly string[],
): ReadonlyMap<number, number> {
  const stacks = readStacks(
    run,
    rows.map(({ item }) => item),
  );
  const pairs = stacks.flatMap(([best, ...copies]) => copies.map(({ image }) => [image, best.image] as const));
  return new Map(pairs.filter(([copy, best]) => folders[copy] === folders[best]));
}

/** Where each image goes; those of one name from different folders are numbered. */
function placeImages(
  rows: readonly DecidedRow[],
  folders: readonly string[],
  bests: ReadonlyMap<number, number>,
  withCopies: boolean,
): ReadonlyMap<number, string> {
  const taken = new Map<string, Set<string>>();
  const targets = new Map<number, string>();
  const place = (image: number, folder: string): void => {
    const names = taken.get(folder) ?? new Set();
    taken.set(folder, names);
    const extension = extname(rows[image].item);
    targets.set(image, join(folder, freeName(basename(rows[image].item, extension), names, extension)));
  };
  rows.forEach((_, image) => {
    if (!bests.has(image)) place(image, folders[image]);
  });
  if (withCopies)
    for (const [copy, best] of bests) {
      const target = targets.get(best);
      if (target !== undefined) place(copy, stackFolder(target));
    }
  return targets;
}

/** Beside the best of the stack, and named after it. */
const stackFolder = (best: string): string => join(dirname(best), `${basename(best, extname(best))}-stack`);

function folderSizes(folders: readonly string[]): { name: string; images: number }[] {
  const sizes = new Map<string, number>();
  for (const folder of folders) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  return [...sizes]
    .map(([name, images]) => ({ name, images }))
    .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

interface Wanted {
  readonly run: string;
  readonly by: OrganizePlan["by"];
  readonly source: string;
  readonly out: string;
  readonly placements: readonly Placement[];
}

function refusal({ run, by, source, out, placements }: Wanted): InputError | undefined {
  const missing = placements.find(({ from }) => !existsSync(from));
  const moved = [out, ...(missing === undefined ? [] : [movedFolder(source)])].find((folder) =>
    existsSync(join(folder, journalName)),
  );
  if (moved !== undefined)
    return new InputError(`${moved}: the originals were moved there; first take them back`, { option: "undo" });
  if (existsSync(out))
    return new InputError(`${out}: it exists already; remove it, or set out to another folder`, { option: "out" });
  if (missing !== undefined)
    return new InputError(`${missing.from}: the image is gone; set images to where the images are`, {
      option: "images",
    });
  if (by !== "move") return undefined;
  // What is in the folder of a run goes when it is made again; originals must not.
  if (!relative(run, out).startsWith(".."))
    return new InputError(`${out}: this is in the run, and the originals would go with it; set out to another folder`, {
      option: "out",
    });
  const link = placements.find(({ from }) => lstatSync(from).isSymbolicLink());
  return link === undefined
    ? undefined
    : new InputError(`${link.from}: this is a link, which would lead nowhere if it were moved; copy instead`);
}
