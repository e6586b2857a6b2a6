/** `boostcluster duplicates`: which files of a folder are copies of one another. */

import { InputError } from "../../files/errors.ts";
import type { Dataset } from "../../images/dataset.ts";
import type { Stack } from "../../images/duplicates/stacks.ts";
import { openDataset } from "../../images/sources/open.ts";
import { duplicatesLines } from "../../runs/duplicates-file.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { stacksIn } from "../duplicates.ts";
import { given, type OptionSpecs, type OptionValues, onlyPositional, parseOptions } from "../options.ts";
import { displaying, displayOptions } from "../progress.ts";
import type { ProgressDisplay } from "../progress-display.ts";

const options = {
  json: { kind: "flag", help: "Print one JSON object per stack." },
  "cache-folder": folderOptions["cache-folder"],
  ...displayOptions,
} as const satisfies OptionSpecs;

export const duplicatesCommand: Command = {
  name: "duplicates",
  usage: "<folder>",
  summary: "List the copies among the images of a folder, exact and near ones, as CSV. Nothing is changed.",
  examples: ["duplicates holiday-photos", "duplicates holiday-photos --json"],
  options,
  interruptible: true,
  run: async (args, context) => {
    const { options: values, positionals } = parseOptions(args, options);
    const folder = onlyPositional(positionals, "duplicates takes one folder");
    await displaying(values, (display) => list(folder, values, context, display));
  },
};

/** Only names and thumbnails are needed: the smallest size that can be read. */
const size = 8;

async function list(
  folder: string,
  values: OptionValues<typeof options>,
  context: CommandContext,
  display: ProgressDisplay,
): Promise<void> {
  const dataset = await openDataset(folder, {
    ...given({ cacheFolder: values["cache-folder"] }),
    size,
    channels: 1,
    signal: context.signal,
    onProgress: (done, total) => display.step("reading images", done, total),
  });
  try {
    if (dataset.origin.fit === undefined)
      throw new InputError(`${folder}: only a folder can have copies of files; give one`);
    const stacks = (await stacksIn(dataset, { ...values, duplicates: "stack" }, context, display)) ?? [];
    if (stacks.length === 0) display.line(`${folder}: none of its ${dataset.count} images is a copy of another`);
    context.print(values.json ? jsonText(stacks, dataset) : csvText(stacks, dataset));
  } finally {
    dataset.close();
  }
}

const csvText = (stacks: readonly Stack[], dataset: Dataset): string =>
  [...duplicatesLines(stacks, (image) => dataset.itemName(image))].join("").trimEnd();

const jsonText = (stacks: readonly Stack[], dataset: Dataset): string =>
  stacks
    .map((members) => members.map(({ image, ...member }) => ({ file: dataset.itemName(image), ...member })))
    .map((members) => JSON.stringify({ files: members }))
    .join("\n");
