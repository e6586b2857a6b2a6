/** Options that say which images, for every command that reads some. */
import type { OpenOptions } from "../images/sources/open.ts";
import { given, type OptionSpecs, type OptionValues } from "./options.ts";

const group = "Images";

/** Where named sets and decoded images are. */
export const folderOptions = {
  "data-folder": {
    kind: "text",
    value: "DIR",
    help: "Folder of the named sets.",
    defaults: "$BOOSTCLUSTER_DATA, else in the user's cache",
    group,
    basic: false,
  },
  "cache-folder": {
    kind: "text",
    value: "DIR",
    help: "Folder where decoded images are kept.",
    defaults: "in the user's cache",
    group,
    basic: false,
  },
} as const satisfies OptionSpecs;

export const dataOptions = {
  size: {
    kind: "text",
    value: "N|HxW",
    help: "Size that images are resized to.",
    defaults: "from the images, at most 128",
    group,
  },
  channels: {
    kind: "choice",
    choices: ["1", "3"],
    help: "Channels of the images: 1 for grey, 3 for colour.",
    defaults: "from the images",
    group,
    basic: false,
  },
  fit: {
    kind: "choice",
    choices: ["cover", "contain", "fill"],
    help: "How images of other proportions fill that size: cut, put between bars, or stretched.",
    defaults: "cover",
    group,
    basic: false,
  },
  ...folderOptions,
} as const satisfies OptionSpecs;

/** The given ones as the data layer takes them. */
export function openOptions(options: OptionValues<typeof dataOptions>): OpenOptions {
  return given({
    size: options.size === undefined ? undefined : parseSize(options.size),
    channels: options.channels === undefined ? undefined : options.channels === "1" ? (1 as const) : (3 as const),
    fit: options.fit,
    dataFolder: options["data-folder"],
    cacheFolder: options["cache-folder"],
  });
}

/** "64" or "48x64" (height x width); what is neither is refused by the data layer. */
function parseSize(text: string): number | readonly [number, number] {
  const sides = text.split("x").map(Number);
  return sides.length === 2 ? [sides[0], sides[1]] : Number(text);
}
