/** `boostcluster organize`: one folder per cluster, of links or copies. The originals are never moved or changed. */

import { copyFileSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { InputError } from "../../files/errors.ts";
import { counted } from "../../numeric/format.ts";
import type { AssignmentRow } from "../../runs/assignments.ts";
import { readStacks } from "../../runs/duplicates-file.ts";
import { readAssignments } from "../../runs/run-folder.ts";
import { readRecord } from "../../runs/run-record.ts";
import type { Command } from "../command.ts";
import { folderNames } from "../folder-names.ts";
import { type OptionSpecs, onlyPositional, parseOptions } from "../options.ts";

const options = {
  by: {
    kind: "choice",
    choices: ["link", "copy"],
    help: "Links take no space; copies can be given away.",
    defaults: "link",
  },
  level: {
    kind: "number",
    help: "Number of groups: fewer than clusters merge some, more split them.",
    defaults: "the clusters",
  },
  out: { kind: "text", value: "DIR", help: "Folder to make.", defaults: "<run>/clusters" },
  duplicates: {
    kind: "choice",
    choices: ["aside", "together", "leave-out"],
    help: "Where copies go: into a folder beside the best of their stack, to the other images, or nowhere.",
    defaults: "aside",
  },
  images: { kind: "text", value: "DIR", help: "Folder of the images, if it has moved." },
} as const satisfies OptionSpecs;

export const organizeCommand: Command = {
  name: "organize",
  usage: "<run>",
  summary: "Make a folder for each cluster, with links to its images or copies of them.",
  examples: [
    "organize runs/flowers",
    "organize runs/flowers --level 20 --out finer-flowers",
    "organize runs/flowers --by copy --out sorted-flowers",
  ],
  options,
  interruptible: false,
  run: async (args, { print }) => {
    const { options: values, positionals } = parseOptions(args, options);
    const run = onlyPositional(positionals, "organize takes the folder of one run");
    const source = values.images ?? sourceFolder(run);
    const out = values.out ?? join(run, "clusters");
    if (existsSync(out)) throw new InputError(`${out}: it exists already; remove it, or choose another with --out`);
    const rows = readAssignments(run);
    const missing = rows.find(({ item }) => !existsSync(join(source, item)));
    if (missing !== undefined)
      throw new InputError(`${join(source, missing.item)}: the image is gone; say where the images are with --images`);
    const folders = folderNames(run, rows, values.level);
    const bests = values.duplicates === "together" ? new Map<string, string>() : bestOfCopies(run, rows);
    const { by = "link" } = values;
    const placed = new Map<string, string>();
    rows.forEach(({ item }, image) => {
      if (!bests.has(item)) placed.set(item, place(resolve(source, item), join(out, folders[image]), by));
    });
    const aside = values.duplicates === "leave-out" ? [] : [...bests];
    for (const [item, best] of aside) {
      const target = placed.get(best);
      if (target !== undefined) place(resolve(source, item), stackFolder(target), by);
    }
    print(`${placed.size + aside.length} images in ${out}${leftOut(bests.size - aside.length)}`);
  },
};

/** For each copy the best of its stack, by name. */
function bestOfCopies(run: string, rows: readonly AssignmentRow[]): Map<string, string> {
  const items = rows.map(({ item }) => item);
  const stacks = readStacks(run, items);
  return new Map(
    stacks.flatMap(([best, ...copies]) => copies.map(({ image }) => [items[image], items[best.image]] as const)),
  );
}

/** Beside the best of the stack, and named after it. */
const stackFolder = (best: string): string => join(dirname(best), `${basename(best, extname(best))}-stack`);

const leftOut = (copies: number): string =>
  copies === 0 ? "" : `, ${counted(copies, "file")} left out as ${copies === 1 ? "a copy" : "copies"}`;

/** The images must be files: a folder was clustered. */
function sourceFolder(run: string): string {
  const { source } = readRecord(run).settings;
  if (typeof source === "string" && statSync(source, { throwIfNoEntry: false })?.isDirectory()) return source;
  throw new InputError(
    `${run}: only a folder of images can be organized, and ${String(source)} is none; if it has moved, give it with --images`,
  );
}

/** Returns where it is. Images of one name from different folders are numbered. */
function place(original: string, folder: string, by: "link" | "copy"): string {
  mkdirSync(folder, { recursive: true });
  const extension = extname(original);
  const name = basename(original, extension);
  let target = join(folder, name + extension);
  for (let number = 2; existsSync(target); number++) target = join(folder, `${name}-${number}${extension}`);
  if (by === "copy") copyFileSync(original, target);
  else symlinkSync(original, resolve(dirname(target), basename(target)));
  return target;
}
