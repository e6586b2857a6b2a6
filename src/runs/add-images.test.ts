import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { idx } from "../../test/array-files.ts";
import { boostcluster } from "../../test/command-line.ts";
import { allImages, firstImages } from "../../test/datasets.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { structuredRun } from "../../test/saved-run.ts";
import { shapeDataset } from "../../test/shapes.ts";
import { readRunContents } from "../export/run-contents.ts";
import { openDataset } from "../images/sources/open.ts";
import { addImages } from "./add-images.ts";
import { readDecided } from "./decisions/decided-run.ts";
import { DecisionLog } from "./decisions/decision-log.ts";
import type { ModelClusters } from "./decisions/fold-decisions.ts";
import { imageKeys } from "./decisions/image-keys.ts";
import { readModelClusters } from "./decisions/model-clusters.ts";
import { openNewImages } from "./new-images.ts";
import { readAssignments } from "./run-folder.ts";
import { openRunImages } from "./run-images.ts";
import { readRecord } from "./run-record.ts";
import { readTree } from "./tree-file.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-add-"));
afterAll(() => rmSync(folder, { recursive: true }));

const [images, others] = [join(folder, "images"), join(folder, "others")];
const places = { cacheFolder: join(folder, "cache") };
const options = { ...places, threads: 1 };

/** Forty shapes; the first twelve of them go elsewhere. */
beforeAll(async () => {
  await writeShapeFolder(images, 40);
  mkdirSync(join(others, "more"), { recursive: true });
  for (let image = 0; image < 12; image++)
    renameSync(join(images, `group${image % 4}`, `${image}.png`), join(others, "more", `${image}.png`));
});

async function folderRun(name: string): Promise<string> {
  const run = join(folder, name);
  const dataset = await openDataset(images, places);
  await structuredRun(run, dataset);
  dataset.close();
  return run;
}

test("files of another folder join a run: with a cluster, a feature, a key and a group, and they are opened with it", async () => {
  const run = await folderRun("run");
  const before = readAssignments(run);
  const { rows, known, skipped } = await addImages(run, [others], options);
  expect([rows.length, known, skipped]).toEqual([12, [], []]);
  const record = readRecord(run);
  expect(record.dataset.count).toBe(40);
  expect(record.sizes.reduce((sum, size) => sum + size, 0)).toBe(40);
  expect(readAssignments(run).slice(0, 28)).toEqual(before);
  expect(rows[0].item).toBe("../others/more/0.png");
  expect(readTree(run)?.groups.length).toBe(40);
  expect(new Set(await imageKeys(run, places)).size).toBe(40);
  expect(readFileSync(join(run, "assignments.csv"), "utf8").trimEnd().split("\n").length).toBe(41);
  const opened = await openRunImages(record, places);
  const contents = readRunContents(run, opened);
  expect(contents.features.length).toBe(40 * contents.featureSize);
  // k-means on pixels: an image's feature is its pixels, wherever it lies.
  const pixels = allImages(opened);
  expect(contents.features).toEqual(pixels);
  opened.close();
  expect(readdirSync(run).filter((name) => name.includes("adding"))).toEqual([]);
});

test("an image that a run has already is left out, under whatever name; so is one that changed in its place", async () => {
  const run = await folderRun("again");
  copyFileSync(join(others, "more", "3.png"), join(others, "copy.png"));
  await addImages(run, [join(others, "more", "3.png")], options);
  const { rows, known } = await addImages(run, [others, images], options);
  expect([rows.length, known.length]).toEqual([11, 30]);
  expect(known.filter((file) => file.endsWith("copy.png")).length).toBe(1);
  rmSync(join(others, "copy.png"));
  const changed = join(others, "more", "5.png");
  const content = readFileSync(changed);
  copyFileSync(join(others, "more", "0.png"), join(folder, "kept.png"));
  writeFileSync(changed, Buffer.concat([content, Buffer.from("more")]));
  const { skipped } = await addImages(run, [changed], options);
  expect(skipped[0]?.reason).toMatch(/changed since/);
  writeFileSync(changed, content);
  expect(readAssignments(run).length).toBe(40);
});

test("files that come into the run's own folder can be added, and the run still opens", async () => {
  const run = await folderRun("own");
  const file = join(images, "new.png");
  copyFileSync(join(others, "more", "1.png"), file);
  const { rows } = await addImages(run, [images], options);
  expect(rows.map(({ item }) => item)).toEqual(["new.png"]);
  const opened = await openRunImages(readRecord(run), places);
  expect([opened.count, opened.itemName(28)]).toEqual([29, "new.png"]);
  opened.close();
  rmSync(file);
});

test("a run opens as it is, whatever else its folder held when something joined", async () => {
  const [broken, copy, first, second] = ["broken", "copy", "first", "second"].map((name) =>
    join(images, `${name}.png`),
  );
  writeFileSync(broken, "no image");
  const run = await folderRun("besides");
  copyFileSync(join(images, "group0", "12.png"), copy);
  copyFileSync(join(others, "more", "1.png"), first);
  copyFileSync(join(others, "more", "2.png"), second);
  const lastItems = async (): Promise<string[]> => {
    const opened = await openRunImages(readRecord(run), places);
    opened.close();
    // The report has the reason.
    expect(opened.skipped.map(({ file }) => file)).toEqual(["broken.png"]);
    return Array.from({ length: opened.count - 28 }, (_, image) => opened.itemName(28 + image));
  };
  await addImages(run, [first], options);
  expect(await lastItems()).toEqual(["first.png"]);
  await addImages(run, [images], options);
  expect(await lastItems()).toEqual(["first.png", "second.png"]);
  for (const file of [broken, copy, first, second]) rmSync(file);
});

/** A cluster has a name, and the sixth image is in a new one. */
async function decidedRun(name: string): Promise<{ run: string; model: ModelClusters }> {
  const run = await folderRun(name);
  const model = await readModelClusters(run, places);
  const log = await DecisionLog.open(run, { ...places, write: true });
  const cluster = model.assignments[0];
  const examples = model.keys.filter((_, image) => model.assignments[image] === cluster);
  log.append({ kind: "rename", of: { cluster, examples }, name: "mine" });
  log.append({ kind: "move", images: [model.keys[5]], to: { cluster: 4, name: "apart" } });
  log.close();
  return { run, model };
}

test("decisions hold for the run with its new images", async () => {
  const { run, model } = await decidedRun("decided");
  await addImages(run, [others], options);
  const { rows, decisions } = await readDecided(run, places);
  expect(decisions.filter(({ conflict }) => conflict !== undefined)).toEqual([]);
  expect([rows[5].cluster, rows[5].name, rows.length]).toEqual([4, "apart", 40]);
  const mine = rows.filter(({ cluster }) => cluster === model.assignments[0]);
  expect(mine.every(({ name }) => name === "mine")).toBe(true);
  expect(readFileSync(join(run, "assignments.csv"), "utf8")).toContain("apart");
});

test("stopped between two files, a run is finished by whoever reads it next: as decided, and without the map as it was", async () => {
  const { run } = await decidedRun("stopped");
  const [csv, map] = [join(run, "assignments.csv"), join(run, "map.npy")];
  writeFileSync(map, "of 28 images");
  rmSync(csv);
  // Where a folder is, no file can take its place.
  mkdirSync(join(csv, "in the way"), { recursive: true });
  await expect(addImages(run, [others], options)).rejects.toThrow();
  expect(existsSync(map)).toBe(false);
  rmSync(csv, { recursive: true });
  expect(readRecord(run).dataset.count).toBe(40);
  const lines = readFileSync(csv, "utf8").trimEnd().split("\n");
  expect([lines.length, lines[6].includes("apart")]).toEqual([41, true]);
});

test("where decisions cannot be read, nothing joins", async () => {
  const { run } = await decidedRun("unreadable");
  writeFileSync(join(run, "decisions.jsonl"), "{}\n{}\n");
  await expect(addImages(run, [others], options)).rejects.toThrow(/decisions\.jsonl/);
  expect(readRecord(run).dataset.count).toBe(28);
});

test("arrays join a run of an array, numbered on; several at once, without those that it has", async () => {
  const shapes = shapeDataset(40);
  const bytes = Uint8Array.from(allImages(shapes), (value) => Math.round(255 * value));
  const { height, width } = shapes.image;
  const write = (name: string, from: number, to: number): string => {
    const file = join(folder, `${name}.idx`);
    writeFileSync(file, idx([to - from, height, width], bytes.subarray(from * height * width, to * height * width)));
    return file;
  };
  const run = join(folder, "array-run");
  const dataset = await openDataset(write("first", 0, 20));
  await structuredRun(run, dataset);
  const { rows, known } = await addImages(run, [write("second", 15, 30), write("third", 28, 40)], options);
  expect(rows.map(({ item }) => item)).toEqual(Array.from({ length: 20 }, (_, image) => String(20 + image)));
  expect(known.length).toBe(7);
  const opened = await openRunImages(readRecord(run), places);
  expect(allImages(opened)).toEqual(
    allImages(firstImages(shapeDataset(40), 40)).map((value) => Math.fround(Math.round(255 * value) / 255)),
  );
  opened.close();
  await expect(addImages(run, [others], options)).rejects.toThrow(/made of an array/);
  const interruption = new AbortController();
  const { signal } = interruption;
  setImmediate(() => interruption.abort());
  const present = { hashes: new Set<string>(), items: new Set<string>() };
  const hashed = openNewImages(readRecord(run), [join(folder, "third.idx")], present, { signal });
  await expect(hashed).rejects.toThrow(/abort/);
});

test("the command adds, says what it left out, renews the report, and refuses what is no image", async () => {
  const run = await folderRun("command");
  const flags = ["--cache-folder", places.cacheFolder];
  const text = boostcluster(["add", run, others, images, "--no-report", ...flags]);
  expect([text.status, text.stdout]).toEqual([0, `12 images joined ${run}, which has 40 now; 28 were there already\n`]);
  expect(text.stderr).toMatch(/left out: .*: the run has it already/);
  expect(existsSync(join(run, "report.html"))).toBe(false);
  copyFileSync(join(others, "more", "2.png"), join(folder, "two.png"));
  writeFileSync(join(folder, "two.png"), Buffer.concat([readFileSync(join(folder, "two.png")), Buffer.from("x")]));
  const json = boostcluster(["add", run, join(folder, "two.png"), "--json", "-q", ...flags]);
  const { added, count, report } = JSON.parse(json.stdout);
  expect([added.length, count, report]).toEqual([1, 41, join(run, "report.html")]);
  // One of the run's own images is gone: no report, but what joined is said.
  const [own, away] = [join(images, "group0", "12.png"), join(folder, "away.png")];
  renameSync(own, away);
  writeFileSync(join(folder, "three.png"), Buffer.concat([readFileSync(join(folder, "two.png")), Buffer.from("x")]));
  const partly = boostcluster(["add", run, join(folder, "three.png"), "--json", ...flags]);
  renameSync(away, own);
  expect([partly.status, JSON.parse(partly.stdout).added.length, partly.stderr]).toEqual([
    0,
    1,
    expect.stringMatching(/the report could not be made \(.*make it with: boostcluster report/),
  ]);
  writeFileSync(join(folder, "broken.png"), "no image");
  const broken = boostcluster(["add", run, join(folder, "broken.png"), ...flags]);
  expect([broken.status, broken.stdout]).toEqual([2, ""]);
  expect(readRecord(run).dataset.count).toBe(42);
});
