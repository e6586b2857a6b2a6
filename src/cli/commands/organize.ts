/** `boostcluster organize`: one folder per cluster. The originals stay where they are, unless moving is asked for. */

import { undoMoves } from "../../export/organize/move-journal.ts";
import { organize } from "../../export/organize/organize.ts";
import { organizePlan } from "../../export/organize/plan.ts";
import { quoted } from "../../files/shell-word.ts";
import { counted } from "../../numeric/format.ts";
import type { Command } from "../command.ts";
import { modelOption } from "../model-option.ts";
import { type OptionSpecs, onlyPositional, parseOptions } from "../options.ts";

const options = {
  by: {
    kind: "choice",
    choices: ["link", "copy", "move"],
    help: "Links take no space; copies can be given away; moving takes the originals, and --undo puts them back.",
    defaults: "link",
  },
  level: {
    kind: "number",
    help: "Number of groups: fewer than the model's clusters merge some, more split them.",
    defaults: "the clusters",
  },
  out: { kind: "text", value: "DIR", help: "Folder to make.", defaults: "<run>/clusters; to move, <images>-clusters" },
  duplicates: {
    kind: "choice",
    choices: ["aside", "together", "leave-out"],
    help: "Where copies go: into a folder beside the best of their stack, to the other images, or nowhere.",
    defaults: "aside",
  },
  images: { kind: "text", value: "DIR", help: "Folder of the images, if it has moved." },
  ...modelOption,
  undo: { kind: "text", value: "DIR", help: "Move the originals back from that folder; no run is needed." },
} as const satisfies OptionSpecs;

export const organizeCommand: Command = {
  name: "organize",
  usage: "<run>",
  summary: "Make a folder for each cluster, of links to its images, copies, or the images themselves.",
  examples: [
    "organize runs/flowers",
    "organize runs/flowers --level 20 --out finer-flowers",
    "organize runs/flowers --by copy --out sorted-flowers",
    "organize runs/flowers --by move --out sorted-flowers",
    "organize --undo sorted-flowers",
  ],
  options,
  interruptible: false,
  run: async (args, { print }) => {
    const { options: values, positionals } = parseOptions(args, options);
    const { undo, ...wanted } = values;
    if (undo !== undefined) {
      print(`${counted(undoMoves(undo), "image")} moved back from ${undo}`);
      return;
    }
    const run = onlyPositional(positionals, "organize takes the folder of one run");
    const plan = await organizePlan(run, wanted);
    const { images, journal } = organize(plan);
    print(`${images} images in ${plan.out}${leftOut(plan.leftOut)}`);
    if (journal !== undefined) print(`take them back with: boostcluster organize --undo ${quoted(plan.out)}`);
  },
};

const leftOut = (copies: number): string =>
  copies === 0 ? "" : `, ${counted(copies, "file")} left out as ${copies === 1 ? "a copy" : "copies"}`;
