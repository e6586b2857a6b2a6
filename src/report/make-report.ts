/** A run as one page to read. */
import { availableParallelism } from "node:os";
import { tsne } from "../embedding/t-sne.ts";
import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { contentsOf } from "./contents.ts";
import { renderPage } from "./page.ts";
import type { Embed } from "./section.ts";
import { type ReportedRun, subjectOf } from "./subject.ts";

export interface ReportOptions {
  /** Points of the map, up to 10,000; of more images so many are chosen evenly. Default: 5000. */
  readonly points?: number;
  /** Of the map. Default: 0. */
  readonly seed?: number;
  /** Default: as many as the run was made with. */
  readonly threads?: number;
  /** The command that makes the run again. Default: the report does not say. */
  readonly command?: string;
  readonly signal?: AbortSignal;
  /** Called while maps are made, which is what takes time. */
  readonly onProgress?: (step: string, done: number, total: number) => void;
}

const mostPoints = 10_000;

/**
 * The report of a run on `dataset`, the images that it was made from, whose labels the report measures against. One HTML
 * file that needs no other; the same run gives the same bytes.
 */
export async function makeReport(run: ReportedRun, dataset: Dataset, options: ReportOptions = {}): Promise<string> {
  const { points = 5000, command, signal } = options;
  if (!Number.isInteger(points) || points < 1 || points > mostPoints)
    throw new InputError(`points must be a whole number from 1 to ${mostPoints}, not ${points}`);
  signal?.throwIfAborted();
  const threads = options.threads ?? threadsOf(run);
  const context = { points, command, embed: tsneEmbed({ ...options, threads }) };
  const contents = await contentsOf(subjectOf(run, dataset), context, { threads });
  signal?.throwIfAborted();
  return renderPage(contents);
}

/** Other numbers of threads may give other bits. */
function threadsOf({ record }: ReportedRun): number {
  const { threads } = record.settings;
  return typeof threads === "number" ? threads : availableParallelism();
}

/** t-SNE begins with points so close together that they can still pass each other. */
const startDeviation = 1e-4;

function tsneEmbed({ seed = 0, threads, signal, onProgress }: ReportOptions): Embed {
  return async (features, { name, iterations, start }) => {
    const { embedding } = await tsne(features, {
      seed,
      signal,
      ...(threads === undefined ? {} : { threads }),
      iterations,
      ...(start === undefined ? {} : { initialization: shrunk(start) }),
      onProgress: (done, total) => onProgress?.(name, done, total),
    });
    return embedding;
  };
}

/** The map in small. */
function shrunk(map: Float32Array): Float32Array {
  const squares = map.reduce((sum, value) => sum + value * value, 0);
  const scale = startDeviation / (Math.sqrt(squares / map.length) || 1);
  return map.map((value) => value * scale);
}
