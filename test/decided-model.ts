/** Made-up images and clusters to decide about, for tests: no run, no training. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterReference, ImageKey } from "../src/runs/decisions/decision.ts";
import type { ModelClusters } from "../src/runs/decisions/fold-decisions.ts";
import { runFormat } from "../src/runs/run-record.ts";

export const keyOf = (image: number): ImageKey =>
  createHash("sha256").update(`image ${image}`).digest("hex").slice(0, 32);

/** Image i is in cluster i mod k. */
export const modelOf = (count: number, k: number): ModelClusters & { readonly assignments: Int32Array } => ({
  k,
  keys: Array.from({ length: count }, (_, image) => keyOf(image)),
  assignments: Int32Array.from({ length: count }, (_, image) => image % k),
});

/** A cluster of the model, with all of its images as examples. */
export const referenceOf = (cluster: number, { keys, assignments }: ModelClusters): ClusterReference => ({
  cluster,
  examples: keys.filter((_, image) => assignments[image] === cluster).slice(0, 16),
});

/** The images as files; each says which one it is. */
export function writeImages(folder: string, { keys }: ModelClusters): string {
  mkdirSync(folder, { recursive: true });
  keys.forEach((key, image) => {
    writeFileSync(join(folder, `${image}.png`), key);
  });
  return folder;
}

/** A folder that is as much of a run as decisions need: record, assignments and keys; `source` is where the images are. */
export function writeModelRun(folder: string, { k, keys, assignments }: ModelClusters, source = "nowhere"): string {
  mkdirSync(folder, { recursive: true });
  const item = (image: number): string => `${image}.png`;
  const row = (image: number) => ({ item: item(image), cluster: assignments[image], score: 0.9, margin: 0.8 });
  writeFileSync(join(folder, "assignments.jsonl"), keys.map((_, image) => `${JSON.stringify(row(image))}\n`).join(""));
  writeFileSync(
    join(folder, "images.sha256"),
    keys.map((key, image) => `${key.padEnd(64, "0")}  ${item(image)}\n`).join(""),
  );
  writeFileSync(join(folder, "run.json"), JSON.stringify({ format: runFormat, k, settings: { source } }));
  return folder;
}
