/** `boostcluster data`: which named sets are here, and how to get the others. */

import { formatImageSize } from "../../images/image.ts";
import { listNamedSets } from "../../images/sources/named-sets.ts";
import type { Command } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { type OptionSpecs, parseOptions } from "../options.ts";

const options = {
  "data-folder": folderOptions["data-folder"],
  json: { kind: "flag", help: "Print JSON." },
} as const satisfies OptionSpecs;

export const dataCommand: Command = {
  name: "data",
  usage: "",
  summary: "List the named sets: which are here, how to get the others.",
  examples: ["data", "data --data-folder ~/datasets"],
  options,
  interruptible: false,
  run: async (args, { print }) => {
    const { options: values } = parseOptions(args, options);
    const sets = listNamedSets(values["data-folder"]);
    if (values.json) return print(JSON.stringify(sets));
    for (const { name, count, image, location, howToGet } of sets)
      print(`${name.padEnd(12)}${count} images, ${formatImageSize(image)}: ${location ?? `missing; ${howToGet}`}`);
  },
};
