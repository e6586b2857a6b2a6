/** How images are mapped to the plane, here and in the studio. */
import { tsne } from "../embedding/t-sne.ts";
import { evenly } from "./places.ts";
import type { Embed } from "./section.ts";

/** Further iterations make little visible difference. */
export const mapIterations = 750;
/** The most points of a map. */
export const mostPoints = 10_000;
/** The most numbers of all features together; where features are large, fewer points are shown. */
const mostNumbers = 120_000_000;

/** Which of `count` images are on a map of at most `points`; `columns`: numbers of a feature. */
export const mappedImages = (count: number, columns: number, points: number): number[] =>
  evenly(count, Math.max(1, Math.min(points, Math.floor(mostNumbers / columns))));

export interface TsneEmbedOptions {
  /** Default: 0. */
  readonly seed?: number;
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: string, done: number, total: number) => void;
}

/** t-SNE starts with points so close together that they can still pass each other. */
const startDeviation = 1e-4;

export function tsneEmbed({ seed = 0, threads, signal, onProgress }: TsneEmbedOptions): Embed {
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

/** The map at the scale of a start. */
function shrunk(map: Float32Array): Float32Array {
  const squares = map.reduce((sum, value) => sum + value * value, 0);
  const scale = startDeviation / (Math.sqrt(squares / map.length) || 1);
  return map.map((value) => value * scale);
}
