import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { writeShapeFolder } from "../../../test/image-folder.ts";
import { savedRun } from "../../../test/saved-run.ts";
import { type StudioClient, testStudio } from "../../../test/studio-client.ts";
import { openDataset } from "../../images/sources/open.ts";
import { DecisionLog } from "../../runs/decisions/decision-log.ts";
import type { LearnedChange, StudioState } from "../api.ts";
import type { RunningStudio } from "../server.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-learning-"));
const made = join(folder, "made");
const run = join(folder, "run");
const cacheFolder = join(folder, "cache");
let studio: RunningStudio;
let client: StudioClient;

beforeAll(async () => {
  await writeShapeFolder(join(folder, "images"), 40);
  const dataset = await openDataset(join(folder, "images"), { cacheFolder });
  await savedRun(made, dataset);
  dataset.close();
});
beforeEach(async () => {
  cpSync(made, run, { recursive: true });
  await open();
});
afterEach(async () => {
  await studio.close();
  rmSync(run, { recursive: true });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function open(): Promise<void> {
  ({ studio, client } = await testStudio(run, { cacheFolder }));
}

/** As `refine` would leave it: these images are in another cluster there. It has learned from so many decisions. */
function writeRefined(elsewhere: ReadonlyMap<number, number>, decisions: number): void {
  const refined = join(run, "refined");
  cpSync(made, refined, { recursive: true });
  const rows = readFileSync(join(made, "assignments.jsonl"), "utf8").trimEnd().split("\n");
  const changed = rows.map((row, image) => {
    const cluster = elsewhere.get(image);
    return JSON.stringify(cluster === undefined ? JSON.parse(row) : { ...JSON.parse(row), cluster });
  });
  writeFileSync(join(refined, "assignments.jsonl"), `${changed.join("\n")}\n`);
  const record = JSON.parse(readFileSync(join(made, "run.json"), "utf8"));
  writeFileSync(join(refined, "run.json"), JSON.stringify({ ...record, settings: { ...record.settings, decisions } }));
}

async function until(holds: (state: StudioState) => boolean): Promise<StudioState> {
  for (;;) {
    const state = await client.state();
    if (holds(state)) return state;
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

const clusters = (): Promise<number[]> => client.numbers("/api/assignments");
const changes = async (): Promise<LearnedChange[]> =>
  JSON.parse((await client.ask("/api/learning/changes")).body.toString());
const said = async (path: string, body: unknown = {}): Promise<[number, string]> => {
  const answer = await client.ask(path, { body });
  return [answer.status, answer.body.toString()];
};

test("what was learned before the studio was opened is shown, accepted in part as one decision, undone and redone", async () => {
  const before = await clusters();
  const [own, other] = [before[0], before.find((cluster) => cluster !== before[0]) ?? 0];
  const members = before.flatMap((cluster, image) => (cluster === own ? [image] : []));
  const [known, ...rest] = members;
  await client.post("/api/decisions", { kind: "confirm", images: [known] });
  expect((await client.state()).lessons).toBe(1);
  await studio.close();
  writeRefined(new Map(members.map((image) => [image, other])), 1);
  await open();
  expect((await until(({ learned }) => learned !== undefined)).learned).toBe(rest.length);
  const [change, ...more] = await changes();
  expect(more).toEqual([]);
  expect([change.from, change.to]).toEqual([own, other]);
  expect(change.images.toSorted((a, b) => a - b)).toEqual(rest);

  const [left, ...accepted] = rest;
  const state = await client.post("/api/learning/accept", { images: [known, ...accepted] });
  expect(state).toMatchObject({ lessons: 0, undo: expect.stringContaining("follow what was learned") });
  expect(state.learned).toBeUndefined();
  const expected = before.map((cluster, image) => (accepted.includes(image) ? other : cluster));
  expect(await clusters()).toEqual(expected);
  expect([before[known], before[left]]).toEqual([own, own]);
  const [fact] = JSON.parse((await client.ask(`/api/images?numbers=${accepted[0]}`)).body.toString());
  expect(fact).toMatchObject({ cluster: other, modelCluster: own, by: "learned", confirmed: false });
  expect((await client.post("/api/undo")).lessons).toBe(1);
  expect(await clusters()).toEqual(before);
  await client.post("/api/redo");
  expect(await clusters()).toEqual(expected);

  // It was looked at: nobody is asked again, although one image stayed.
  await studio.close();
  await open();
  // By then it has looked for what was learned.
  await client.ask("/api/questions");
  expect((await client.state()).learned).toBeUndefined();
});

test("what was learned can be discarded, and what is decided meanwhile stays", async () => {
  const before = await clusters();
  const other = before.find((cluster) => cluster !== before[0]) ?? 0;
  await client.post("/api/decisions", { kind: "confirm", images: [1] });
  await studio.close();
  writeRefined(
    new Map([
      [0, other],
      [4, other],
    ]),
    1,
  );
  await open();
  const { learned = 0 } = await until((state) => state.learned !== undefined);
  await client.post("/api/decisions", { kind: "aside", images: [0] });
  expect((await client.state()).learned).toBe(learned - 1);
  const discarded = await client.post("/api/learning/discard");
  expect(discarded.learned).toBeUndefined();
  expect(existsSync(join(run, "refined"))).toBe(false);
  expect(await said("/api/learning/accept", { images: [4] })).toEqual([409, expect.stringContaining("any more")]);
});

test("learning needs something to learn from; where it fails it says why, and can be left", async () => {
  expect(await said("/api/learning/start")).toEqual([409, expect.stringContaining("nothing new to learn")]);
  expect((await said("/api/learning/stop"))[0]).toBe(409);
  await client.post("/api/decisions", { kind: "confirm", images: [0] });
  const events = await client.listen();
  expect((await client.post("/api/learning/start")).learning).toMatchObject({ state: "running" });
  expect(await said("/api/learning/start")).toEqual([409, expect.stringContaining("already")]);
  expect(await said("/api/learning/discard")).toEqual([409, expect.stringContaining("still learning")]);
  await events.next((event) => event.kind === "learning" && event.learning.state === "failed");
  events.close();
  // Made by k-means, which has no network.
  expect((await client.state()).learning).toMatchObject({ state: "failed", error: expect.stringContaining("network") });
  expect((await client.post("/api/learning/discard")).learning).toBeUndefined();
  expect(existsSync(join(run, "refined"))).toBe(false);
});

test("answers about two images are decisions, and contradictions are told; what cannot be asked says why", async () => {
  await client.post("/api/decisions", { kind: "same", images: [0, 1] });
  expect((await client.ask("/api/contradictions")).json()).toEqual([]);
  const state = await client.post("/api/decisions", { kind: "different", images: [1, 0] });
  expect(state).toMatchObject({ lessons: 2, undo: "said that 2 images do not belong together" });
  expect((await client.ask("/api/contradictions")).json()).toEqual([
    expect.stringMatching(
      /png: said that 2 images do not belong together; before, said that 2 images belong together$/,
    ),
  ]);
  for (const images of [[0], [0, 1, 2], [3, 3]])
    expect((await said("/api/decisions", { kind: "same", images }))[0]).toBe(400);
  // Made by k-means, which has no network.
  const refused = await client.ask("/api/questions");
  expect([refused.status, refused.body.toString()]).toEqual([409, expect.stringContaining("network")]);
  for (const count of ["0", "x", "201"]) expect((await client.ask(`/api/questions?count=${count}`)).status).toBe(400);
});

test("a studio that only looks neither learns nor accepts", async () => {
  await studio.close();
  const log = await DecisionLog.open(run, { write: true });
  writeRefined(new Map([[0, 3]]), 0);
  try {
    await open();
    expect((await client.state()).readOnly).toContain("process");
    for (const path of ["start", "discard"]) expect((await said(`/api/learning/${path}`))[0]).toBe(409);
    expect((await said("/api/learning/accept", { images: [0] }))[0]).toBe(409);
  } finally {
    log.close();
  }
});
