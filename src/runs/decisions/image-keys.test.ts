import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeShapeFolder } from "../../../test/image-folder.ts";
import { savedRun } from "../../../test/saved-run.ts";
import { writeNpy } from "../../files/npy.ts";
import { openDataset } from "../../images/sources/open.ts";
import { readAssignments } from "../run-folder.ts";
import { keysFile } from "./file-names.ts";
import { imageKeys } from "./image-keys.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-keys-"));
const images = join(folder, "images");
const run = join(folder, "run");

beforeAll(async () => {
  await writeShapeFolder(images, 24);
  mkdirSync(join(images, "odd"));
  renameSync(join(images, "group0", "0.png"), join(images, "odd", "back\\slash.png"));
  const dataset = await openDataset(images, { cacheFolder: join(folder, "cache") });
  await savedRun(run, dataset);
  dataset.close();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("a file is known by its bytes; the list is what sha256sum makes of the folder", async () => {
  const keys = await imageKeys(run);
  readAssignments(run).forEach(({ item }, image) => {
    const hash = createHash("sha256")
      .update(readFileSync(join(images, item)))
      .digest("hex");
    expect(keys[image]).toBe(hash.slice(0, 32));
  });
  const check = spawnSync("sha256sum", ["--check", "--quiet", join(run, keysFile)], { cwd: images, encoding: "utf8" });
  expect(check.error === undefined ? check.stdout + check.stderr : "").toBe("");
});

test("keys are computed once, and again where they are those of other images", async () => {
  const keys = await imageKeys(run);
  const path = join(run, keysFile);
  const list = readFileSync(path, "utf8");
  renameSync(images, `${images}-moved`);
  expect(await imageKeys(run)).toEqual(keys);
  writeFileSync(path, list.split("\n").slice(1).join("\n"));
  expect(await imageKeys(run, { images: `${images}-moved` })).toEqual(keys);
  expect(readFileSync(path, "utf8")).toBe(list);
  rmSync(path);
  rmSync(join(`${images}-moved`, "group1", "1.png"));
  await expect(imageKeys(run, { images: `${images}-moved` })).rejects.toThrow("an image of the run cannot be read");
});

test("an image of an array is known by its pixels, wherever it is in the array", async () => {
  const pixels = Uint8Array.from({ length: 12 * 64 }, (_, index) => (index * index) % 251);
  pixels.copyWithin(64, 0, 64);
  const file = join(folder, "array.npy");
  writeNpy(
    file,
    Float32Array.from(pixels, (value) => value / 255),
    [12, 8, 8],
  );
  const dataset = await openDataset(file);
  const arrayRun = join(folder, "array");
  await savedRun(arrayRun, dataset);
  dataset.close();
  const keys = await imageKeys(arrayRun);
  expect(keys[0]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(11);
});
