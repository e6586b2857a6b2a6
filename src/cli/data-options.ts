/** Options that say which images, for every command that reads some. */
import type { OpenOptions } from "../data/open.ts";
import { given, type OptionSpecs, type OptionValues } from "./options.ts";

export const dataOptions = {
  size: { kind: "text", value: "N|HxW", help: "resize images to this (default: from the images, at most 128)" },
  channels: { kind: "choice", choices: ["1", "3"], help: "1 grey, 3 colour (default: from the images)" },
  fit: {
    kind: "choice",
    choices: ["cover", "contain", "fill"],
    help: "images of other proportions: cut, put between bars, or stretched (default: cover)",
  },
  "data-folder": {
    kind: "text",
    value: "DIR",
    help: "where named sets are (default: $BOOSTCLUSTER_DATA, else in the user's cache)",
  },
  "cache-folder": { kind: "text", value: "DIR", help: "where decoded images are kept (default: in the user's cache)" },
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
