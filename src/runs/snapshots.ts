/**
 * What training looked like at chosen epochs, for figures, so that no figure needs a second run: how often each score
 * occurred, of all images; and the features of some.
 *
 * One file an epoch, written as it comes: a run that is stopped and goes on leaves the same files.
 */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DamagedFileError } from "../files/errors.ts";
import { readSafetensors, writeSafetensors } from "../files/safetensors.ts";

/** Scores from 0 to 1 are counted in so many equal bins. */
export const scoreBins = 50;
/** Features are kept of at most so many images. */
export const largestSample = 10_000;

/** The clusters before epoch `epoch + 1` of clustering: 0 is what it began with. */
export interface Snapshot {
  readonly epoch: number;
  /** [k, scoreBins]: images by their score for each cluster. */
  readonly histograms: Int32Array;
  /** Which images the features are of; empty at epochs that keep none. */
  readonly items: Int32Array;
  /** [items, d]. */
  readonly features: Float32Array;
}

/** What a method tells at the start of an epoch. */
export interface SnapshotSource {
  /** [images, k]. */
  readonly scores: Float32Array;
  /** [images, d], where `wantsFeatures` asked for them. */
  readonly features: Float32Array;
  readonly k: number;
  /** Whose they are. Default: all images'. */
  readonly images?: Uint32Array | undefined;
}

export interface SnapshotRecorder {
  wantsFeatures(epoch: number): boolean;
  record(epoch: number, source: SnapshotSource): void;
}

/** The paper's t-SNE figure has 0, 2, 5 and the last epoch; the last one's features are a run's own. */
const featureEpochs = [0, 2, 5];
/** The paper shows ten histograms, most of them early, when scores move; then it is enough to look now and then. */
const isScoreEpoch = (epoch: number): boolean => epoch <= 5 || epoch % 5 === 0;

/** Images spread evenly over all, or all of them if there are few. */
export function sampleItems(count: number): Int32Array {
  const size = Math.min(count, largestSample);
  return Int32Array.from({ length: size }, (_, index) => Math.floor((index * count) / size));
}

/** [k, scoreBins] of scores [images, k]. */
export function scoreHistograms(scores: Float32Array, k: number): Int32Array {
  const histograms = new Int32Array(k * scoreBins);
  for (let index = 0; index < scores.length; index++) {
    const bin = Math.min(scoreBins - 1, Math.floor(scores[index] * scoreBins));
    histograms[(index % k) * scoreBins + bin]++;
  }
  return histograms;
}

/** Records into the folder of a run. */
export function runSnapshots(folder: string): SnapshotRecorder {
  return {
    wantsFeatures: (epoch) => featureEpochs.includes(epoch),
    record(epoch, { scores, features, k, images }) {
      if (!isScoreEpoch(epoch)) return;
      mkdirSync(snapshotFolder(folder), { recursive: true });
      const histograms = scoreHistograms(scores, k);
      const rows = features.length === 0 ? new Int32Array(0) : sampleItems(scores.length / k);
      const items = images === undefined ? rows : rows.map((row) => images[row]);
      const size = features.length / (scores.length / k);
      const kept = new Float32Array(items.length * size);
      rows.forEach((row, place) => {
        kept.set(features.subarray(row * size, (row + 1) * size), place * size);
      });
      writeSafetensors(join(snapshotFolder(folder), `epoch-${String(epoch).padStart(4, "0")}.safetensors`), {
        histograms: { shape: [k, scoreBins], values: histograms },
        items: { shape: [items.length], values: items },
        features: { shape: [items.length, size], values: kept },
      });
    },
  };
}

/** By epoch; none where the method records none. */
export function readSnapshots(folder: string): Snapshot[] {
  if (!existsSync(snapshotFolder(folder))) return [];
  const files = readdirSync(snapshotFolder(folder)).filter((name) => /^epoch-\d+\.safetensors$/.test(name));
  return files.sort().map((name) => readSnapshot(join(snapshotFolder(folder), name), Number(name.match(/\d+/)?.[0])));
}

const snapshotFolder = (folder: string): string => join(folder, "snapshots");

function readSnapshot(path: string, epoch: number): Snapshot {
  const { tensors } = readSafetensors(path);
  const [histograms, items, features] = ["histograms", "items", "features"].map((name) => tensors.get(name)?.values);
  if (!(histograms instanceof Int32Array && items instanceof Int32Array && features instanceof Float32Array))
    throw new DamagedFileError(`${path}: it is no snapshot of a run; delete it, and figures do without it`);
  return { epoch, histograms, items, features };
}
