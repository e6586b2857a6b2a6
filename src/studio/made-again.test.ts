import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { testStudio } from "../../test/studio-client.ts";
import type { Dataset } from "../images/dataset.ts";
import { openDataset } from "../images/sources/open.ts";
import { fitKms } from "../methods/baselines/kms.ts";
import { saveRun } from "../runs/run-folder.ts";
import type { StudioState } from "./api.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-made-again-"));
const run = join(folder, "run");
const cacheFolder = join(folder, "cache");
let dataset: Dataset;

beforeAll(async () => {
  await writeShapeFolder(join(folder, "images"), 60);
  dataset = await openDataset(join(folder, "images"), { cacheFolder });
});
afterAll(() => {
  dataset.close();
  rmSync(folder, { recursive: true });
});

async function makeRun(options: { readonly k: number; readonly seed?: number }): Promise<void> {
  saveRun(run, await fitKms(dataset, { restarts: 10, threads: 1, ...options }), dataset);
}

/** What a studio shows that is opened now. */
async function shown(): Promise<{ readonly state: StudioState; readonly assignments: readonly number[] }> {
  const { studio, client } = await testStudio(run, { cacheFolder });
  try {
    return { state: await client.state(), assignments: await client.numbers("/api/assignments") };
  } finally {
    await studio.close();
  }
}

test("where a run is made again, what was decided holds, and what cannot hold is listed", async () => {
  await makeRun({ k: 4 });
  const { studio, client } = await testStudio(run, { cacheFolder });
  const [first, second] = await Promise.all([0, 1].map((cluster) => client.numbers(`/api/clusters/${cluster}/images`)));
  const moved = first.slice(-3);
  await client.post("/api/decisions", { kind: "rename", cluster: 0, name: "first" });
  await client.post("/api/decisions", { kind: "rename", cluster: 1, name: "second" });
  await client.post("/api/decisions", { kind: "move", images: moved, to: 1 });
  await client.post("/api/decisions", { kind: "aside", images: second.slice(-2) });
  await studio.close();

  await makeRun({ k: 4, seed: 1 });
  const other = await shown();
  const numberOf = (name: string) => other.state.clusters.find((facts) => facts.name === name)?.cluster;
  expect(other.state).toMatchObject({ conflicts: [], aside: 2 });
  expect(other.assignments[first[0]]).toBe(numberOf("first"));
  for (const image of [second[0], ...moved]) expect(other.assignments[image]).toBe(numberOf("second"));

  await makeRun({ k: 1 });
  const { state } = await shown();
  expect(state.conflicts).toEqual([expect.stringContaining("second")]);
  expect(state.aside).toBe(2);
  expect(state.clusters.map(({ name }) => name)).toContain("first");
});
