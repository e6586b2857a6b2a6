/** The words after `boostcluster cluster` for what the page's form asks for. */
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isNamedSet } from "../../images/sources/named-sets.ts";
import type { TrainingRequest } from "../api.ts";

export interface TrainingPlaces {
  /** A folder or file of images, or the name of a set. */
  readonly source: string;
  /** The folder of the run. */
  readonly out: string;
  readonly dataFolder?: string | undefined;
  readonly cacheFolder?: string | undefined;
}

/** A look at what comes out, not the best that can. */
const quick = ["--pretrain-epochs", "2", "--epochs", "4"];

export function trainingArguments(request: TrainingRequest, places: TrainingPlaces): string[] {
  const { k, seed, backbone, effort } = request;
  const { source, out, dataFolder, cacheFolder } = places;
  const options = { seed, backbone, "data-folder": dataFolder, "cache-folder": cacheFolder };
  return [
    isNamedSet(source) ? source : resolve(source),
    ...["-k", String(k), "--out", resolve(out)],
    ...Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)])),
    ...(effort === "quick" ? quick : []),
  ];
}

/** To go on with what was interrupted, with the words that it began with; anew where nothing was kept. */
export const continuingArguments = (args: readonly string[], out: string): string[] => [
  ...args.filter((word) => word !== "--force" && word !== "--resume"),
  existsSync(join(out, "checkpoint.safetensors")) ? "--resume" : "--force",
];

/** A folder for a new run, named after its images. */
export function newRunFolder(source: string, runs: string): string {
  const name = basename(resolve(source)).replace(/\.(npy|npz|mat|gz)$/i, "");
  let folder = join(runs, name);
  for (let number = 2; existsSync(folder); number++) folder = join(runs, `${name}-${number}`);
  return folder;
}
