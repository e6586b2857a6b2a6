/** `boostcluster organize`: one folder per cluster, of links or copies. The originals are never moved or changed. */

import { copyFileSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { InputError } from "../../files/errors.ts";
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
    rows.forEach(({ item }, image) => {
      place(resolve(source, item), join(out, folders[image]), values.by ?? "link");
    });
    print(`${rows.length} images in ${out}`);
  },
};

/** The images must be files: a folder was clustered. */
function sourceFolder(run: string): string {
  const { source } = readRecord(run).settings;
  if (typeof source === "string" && statSync(source, { throwIfNoEntry: false })?.isDirectory()) return source;
  throw new InputError(
    `${run}: only a folder of images can be organized, and ${String(source)} is none; if it has moved, give it with --images`,
  );
}

/** Images of one name from different folders are numbered. */
function place(original: string, folder: string, by: "link" | "copy"): void {
  mkdirSync(folder, { recursive: true });
  const extension = extname(original);
  const name = basename(original, extension);
  let target = join(folder, name + extension);
  for (let number = 2; existsSync(target); number++) target = join(folder, `${name}-${number}${extension}`);
  if (by === "copy") copyFileSync(original, target);
  else symlinkSync(original, resolve(dirname(target), basename(target)));
}
