/** `boostcluster data`: which named sets are here, how to get the others, and how much is kept of decoded images. */

import { formatImageSize } from "../../images/image.ts";
import { cacheSize, clearCache, defaultCacheLimit } from "../../images/sources/decoded-cache.ts";
import { listNamedSets } from "../../images/sources/named-sets.ts";
import { counted, formatBytes } from "../../numeric/format.ts";
import type { Command } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { type OptionSpecs, parseOptions } from "../options.ts";

const options = {
  ...folderOptions,
  "clear-cache": { kind: "flag", help: "Remove all decoded images; they are decoded again when they are needed." },
  json: { kind: "flag", help: "Print one JSON object." },
} as const satisfies OptionSpecs;

export const dataCommand: Command = {
  name: "data",
  usage: "",
  summary: "List the named sets: which are here, how to get the others; and what is kept of decoded images.",
  examples: ["data", "data --data-folder ~/datasets", "data --clear-cache"],
  options,
  interruptible: false,
  run: async (args, { print }) => {
    const { options: values } = parseOptions(args, options);
    const cacheFolder = values["cache-folder"];
    if (values["clear-cache"]) {
      const removed = clearCache(cacheFolder);
      if (values.json) return print(JSON.stringify({ removed }));
      return print(`removed ${counted(removed.files, "file")} (${formatBytes(removed.bytes)}) from ${removed.folder}`);
    }
    const sets = listNamedSets(values["data-folder"]);
    const cache = cacheSize(cacheFolder);
    if (values.json) return print(JSON.stringify({ sets, cache }));
    for (const { name, count, image, location, howToGet } of sets)
      print(`${name.padEnd(12)}${count} images, ${formatImageSize(image)}: ${location ?? `missing; ${howToGet}`}`);
    const kept = `${counted(cache.files, "file")}, ${formatBytes(cache.bytes)} of at most ${formatBytes(defaultCacheLimit)}`;
    print(`decoded images and vectors: ${kept}: ${cache.folder}`);
  },
};
