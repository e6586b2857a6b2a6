import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { savedRun } from "../../test/saved-run.ts";
import { type StudioClient, testStudio } from "../../test/studio-client.ts";
import { undoMoves } from "../export/organize/move-journal.ts";
import { openDataset } from "../images/sources/open.ts";
import type {
  ImageDetails,
  ImageFacts,
  MapData,
  OrganizePreview,
  OrganizeResult,
  SplitPreview,
  StudioEvent,
} from "./api.ts";
import type { RunningStudio } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-studio-"));
const run = join(folder, "run");
const cacheFolder = join(folder, "cache");
let studio: RunningStudio;
let client: StudioClient;

beforeAll(async () => {
  await writeShapeFolder(join(folder, "images"), 80);
  const dataset = await openDataset(join(folder, "images"), { cacheFolder });
  await savedRun(run, dataset);
  dataset.close();
  ({ studio, client } = await testStudio(run, { cacheFolder }));
});
afterAll(async () => {
  await studio.close();
  rmSync(folder, { recursive: true });
});

const sizes = async (): Promise<Record<number, number>> =>
  Object.fromEntries((await client.state()).clusters.map(({ cluster, size }) => [cluster, size]));

test("a run is shown with its clusters", async () => {
  const state = await client.state();
  expect(state).toMatchObject({ title: "images", phase: "run", count: 80, organizable: true, pixelated: true });
  expect(state.clusters.map(({ size }) => size).reduce((sum, size) => sum + size)).toBe(80);
  for (const { typical, meanScore } of state.clusters) {
    expect(typical.length).toBeGreaterThan(0);
    expect(meanScore).toBeGreaterThan(0);
  }
});

test("images come by score, by doubt, and by likeness to one", async () => {
  const rows = readFileSync(join(run, "assignments.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const members = rows.flatMap(({ cluster }, image) => (cluster === 1 ? [image] : []));
  const byScore = await client.numbers("/api/clusters/1/images");
  expect(byScore.toSorted((a, b) => a - b)).toEqual(members);
  expect(byScore.map((image) => rows[image].score)).toEqual(
    members.map((image) => rows[image].score).sort((a, b) => b - a),
  );
  const byDoubt = await client.numbers("/api/clusters/all/images?order=doubt");
  expect(byDoubt.map((image) => rows[image].margin)).toEqual(rows.map(({ margin }) => margin).sort((a, b) => a - b));
  const alike = await client.numbers("/api/clusters/all/images?order=likeness&like=7");
  expect(alike).toHaveLength(80);
  expect(alike[0]).toBe(7);
  const details: ImageDetails = JSON.parse((await client.ask("/api/images/7")).body.toString());
  expect(details.neighbours).toEqual(alike.slice(1, 25));
  const sure = await client.numbers("/api/clusters/all/images?least=0.5&most=0.7");
  expect(sure.length).toBe(rows.filter(({ score }) => score >= 0.5 && score <= 0.7).length);
  const named = await client.numbers("/api/clusters/all/images?name=P1/1");
  expect(named.toSorted((a, b) => a - b)).toEqual(
    rows.flatMap(({ item }, image) => (item.includes("p1/1") ? [image] : [])),
  );
  expect(named.length).toBeGreaterThan(0);
});

test("thumbnails and pictures are WebP, and thumbnails are kept", async () => {
  for (const kind of ["thumbnail", "picture"]) {
    const { body, headers } = await client.ask(`/api/images/5/${kind}`);
    expect(headers["content-type"]).toBe("image/webp");
    expect(await sharp(body).metadata()).toMatchObject({ format: "webp", width: 12, height: 12 });
  }
  const again = await client.ask("/api/images/5/thumbnail");
  expect(again.body).toEqual((await client.ask("/api/images/5/thumbnail")).body);
  expect(existsSync(join(cacheFolder, "thumbnails"))).toBe(true);
});

test("what is decided is answered with, told to other pages, and can be undone and redone", async () => {
  const before = await client.state();
  const events = await client.listen();
  const images = await client.numbers("/api/clusters/0/images");
  const named = await client.post("/api/decisions", { kind: "rename", cluster: 0, name: "<b>receipts</b>" });
  expect(named.clusters[0].name).toBe("<b>receipts</b>");
  expect(named.revision).toBeGreaterThan(before.revision);
  const isNew = (event: StudioEvent): boolean => event.kind === "state" && event.revision > before.revision;
  expect(await events.next(isNew)).toEqual({ kind: "state", revision: named.revision });
  events.close();
  await client.post("/api/decisions", { kind: "move", images: images.slice(0, 3), to: { name: "three" } });
  await client.post("/api/decisions", { kind: "aside", images: images.slice(3, 5) });
  await client.post("/api/decisions", { kind: "confirm", images: images.slice(5, 6) });
  const merged = await client.post("/api/decisions", { kind: "merge", clusters: [1, 2] });
  expect(merged).toMatchObject({ aside: 2, moved: 3, confirmed: 1, undo: expect.stringContaining("merged") });
  expect(merged.clusters.map(({ cluster }) => cluster)).toEqual([0, 1, 3, 4]);
  expect(merged.clusters.find(({ cluster }) => cluster === 4)).toMatchObject({ name: "three", made: true, size: 3 });
  expect(await client.numbers("/api/clusters/aside/images")).toEqual(images.slice(3, 5));
  expect(await client.numbers("/api/clusters/all/images?state=moved")).toHaveLength(3);
  const [fact]: ImageFacts[] = JSON.parse((await client.ask(`/api/images?numbers=${images[0]}`)).body.toString());
  expect(fact).toMatchObject({ cluster: 4, modelCluster: 0, by: "person" });
  for (let step = 0; step < 5; step++) await client.post("/api/undo");
  const { revision, redo, undo, ...rest } = await client.state();
  expect(rest).toEqual((({ revision: _, undo: __, redo: ___, ...others }) => others)(before));
  expect(undo).toBe(before.undo);
  expect((await client.ask("/api/undo", { body: {} })).status).toBe(409);
  for (let step = 0; step < 5; step++) await client.post("/api/redo");
  expect((await client.state()).clusters).toEqual(merged.clusters);
  for (let step = 0; step < 5; step++) await client.post("/api/undo");
});

test("a split is shown before it is done, and then is what was shown", async () => {
  const preview = await client.ask("/api/split-preview", { body: { cluster: 0, parts: 3 } });
  const { parts }: SplitPreview = JSON.parse(preview.body.toString());
  expect(parts).toHaveLength(3);
  const members = await client.numbers("/api/clusters/0/images");
  expect(parts.flatMap(({ images }) => images).sort()).toEqual(members.sort());
  expect(parts.map(({ images }) => images.length)).toEqual(
    parts.map(({ images }) => images.length).sort((a, b) => b - a),
  );
  await client.post("/api/decisions", {
    kind: "split",
    cluster: 0,
    parts: parts.slice(1).map(({ images }) => ({ images })),
  });
  expect(await sizes()).toMatchObject({
    0: parts[0].images.length,
    4: parts[1].images.length,
    5: parts[2].images.length,
  });
  const twice = { kind: "split", cluster: 4, parts: [{ images: [parts[0].images[0]] }] };
  expect((await client.ask("/api/decisions", { body: twice })).status).toBe(409);
  await client.post("/api/undo");
});

test("what another page has merged away cannot be named any more", async () => {
  await client.post("/api/decisions", { kind: "merge", clusters: [0, 1] });
  const { status, body } = await client.ask("/api/decisions", { body: { kind: "rename", cluster: 1, name: "late" } });
  expect([status, body.toString()]).toEqual([409, expect.stringContaining("cluster 1")]);
  await client.post("/api/undo");
});

test("the map is computed while the studio answers, and is kept in the run", async () => {
  const first = await client.ask("/api/map");
  expect(first.status).toBe(202);
  await expect.poll(async () => (await client.ask("/api/map")).status, { timeout: 60_000, interval: 200 }).toBe(200);
  const map: MapData = JSON.parse((await client.ask("/api/map")).body.toString());
  expect(map.images).toHaveLength(80);
  expect(map.places).toHaveLength(160);
  expect(Math.max(...map.places)).toBeLessThanOrEqual(10_000);
  expect(existsSync(join(run, "map.npy"))).toBe(true);
  const details: ImageDetails = JSON.parse((await client.ask("/api/images/7")).body.toString());
  expect(details.place).toEqual([map.places[14] / 10_000, map.places[15] / 10_000]);
}, 90_000);

test("folders are made of what was decided, once they were shown", async () => {
  await client.post("/api/decisions", { kind: "rename", cluster: 2, name: "rings" });
  const preview: OrganizePreview = JSON.parse(
    (await client.ask("/api/organize-preview", { body: { by: "copy" } })).body.toString(),
  );
  expect(preview.folders).toContainEqual({ name: "rings", images: (await sizes())[2] });
  expect(existsSync(preview.out)).toBe(false);
  const made = await client.ask("/api/organize", { body: { by: "copy" } });
  expect(made.json()).toMatchObject({ out: preview.out, images: 80 });
  expect(existsSync(join(preview.out, "rings"))).toBe(true);
  const again = await client.ask("/api/organize", { body: { by: "copy" } });
  expect([again.status, again.body.toString()]).toEqual([409, expect.stringContaining("exists already")]);
}, 30_000);

test("originals that were moved are still shown, and so are they when they are back", async () => {
  const { body } = await client.ask("/api/organize", { body: { by: "move" } });
  const { out, undo }: OrganizeResult = JSON.parse(body.toString());
  expect(undo).toContain("organize --undo");
  const { item } = JSON.parse(readFileSync(join(run, "assignments.jsonl"), "utf8").split("\n")[9]);
  expect(existsSync(join(folder, "images", item))).toBe(false);
  const isShown = async () =>
    (await Promise.all(["thumbnail", "picture"].map((kind) => client.ask(`/api/images/9/${kind}`)))).map(
      ({ status }) => status,
    );
  expect(await isShown()).toEqual([200, 200]);
  await client.post("/api/decisions", { kind: "confirm", images: [9] });
  for (const by of ["link", "move"]) {
    const again = await client.ask("/api/organize", { body: { by } });
    expect([again.status, again.body.toString()]).toEqual([409, expect.stringContaining("take them back")]);
  }
  undoMoves(out);
  expect(existsSync(join(folder, "images", item))).toBe(true);
  expect(await isShown()).toEqual([200, 200]);
}, 30_000);

test("a second studio on the same run says so, shows it, and changes nothing", async () => {
  const said: string[] = [];
  const second = await testStudio(run, { cacheFolder, say: (text) => said.push(text) });
  try {
    expect(said.join()).toContain("read-only");
    expect((await second.client.state()).readOnly).toContain("process");
    const refused = await second.client.ask("/api/decisions", { body: { kind: "rename", cluster: 0, name: "x" } });
    expect(refused.status).toBe(409);
    expect((await second.client.ask("/api/images/3/thumbnail")).status).toBe(200);
    await client.post("/api/decisions", { kind: "rename", cluster: 0, name: "by the first" });
    const names = async () => (await second.client.state()).clusters.map(({ name }) => name);
    await expect.poll(names, { timeout: 20_000 }).toContain("by the first");
    await client.post("/api/undo");
  } finally {
    await second.studio.close();
  }
});

test("assignments.csv says what was decided once the studio is closed, and a new studio knows it", async () => {
  const images = await client.numbers("/api/clusters/3/images");
  await client.post("/api/decisions", { kind: "move", images, to: { name: "moved away" } });
  const before = await client.state();
  await studio.close();
  expect(readFileSync(join(run, "assignments.csv"), "utf8")).toContain("moved away");
  ({ studio, client } = await testStudio(run, { cacheFolder }));
  const { revision, pictures, ...after } = await client.state();
  expect({ ...before, ...after }).toEqual(before);
});
