/** Photographs to vectors: how fast `backboneVectors` is, decoding included. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { openBackbone } from "../src/backbones/backbone.ts";
import { backboneVectors } from "../src/backbones/vectors.ts";
import type { Dataset } from "../src/images/dataset.ts";
import type { Backbone } from "../src/network/backbone.ts";

/**
 * The same call for these few, two batches, is subtracted, and with it what a call costs however many images it has: the
 * model is loaded, in a thread that is started.
 */
const few = 32;

/** `list` is a file with the path of an image per line. */
export async function vectorsPerSecond(backboneFolder: string, list: string, threads: number): Promise<number> {
  const backbone = await openBackbone(backboneFolder);
  const files = readFileSync(list, "utf8").trimEnd().split("\n");
  const fixed = await seconds(photographs(files.slice(0, few)), backbone, threads);
  const all = await seconds(photographs(files), backbone, threads);
  return (files.length - few) / (all - fixed);
}

async function seconds(pictures: Dataset, backbone: Backbone, threads: number): Promise<number> {
  // Where no vector is known yet.
  const cacheFolder = mkdtempSync(join(tmpdir(), "boostcluster-bench-"));
  try {
    const start = performance.now();
    await backboneVectors(pictures, backbone, { threads, cacheFolder });
    return (performance.now() - start) / 1000;
  } finally {
    rmSync(cacheFolder, { recursive: true });
  }
}

/** As a dataset of which only the files are of use: they are decoded anew for a backbone. */
function photographs(files: readonly string[]): Dataset {
  const source = dirname(files[0]);
  return {
    name: source,
    origin: { source, fit: "cover" },
    count: files.length,
    image: { channels: 3, height: 1, width: 1 },
    labels: undefined,
    skipped: [],
    fingerprint: "",
    itemName: (index) => relative(source, files[index]),
    read: () => {
      throw new Error("only the files are of use");
    },
    close: () => {},
  };
}
