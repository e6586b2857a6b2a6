import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstTwo, madeUpRun } from "../../test/reported-run.ts";
import { structuredRun } from "../../test/saved-run.ts";
import { shapeDataset, withCheckerboards } from "../../test/shapes.ts";
import { contentsOf } from "./contents.ts";
import { levelsControl } from "./levels.ts";
import type { Section } from "./section.ts";
import { type Subject, subjectOf } from "./subject.ts";
import { typicalRows } from "./typical.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-levels-"));
const foreign = [7, 42, 77];
const dataset = withCheckerboards(shapeDataset(160), foreign);
let subject: Subject;
let sections: readonly Section[];

beforeAll(async () => {
  subject = subjectOf(await structuredRun(join(folder, "run"), dataset), dataset);
  ({ sections } = await contentsOf(subject, { points: 10, command: undefined, embed: firstTwo }));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface LevelsData {
  readonly clusters: number;
  readonly groups: readonly { title: string; note: string; from: number; to: number; images: number[] }[];
  readonly images: readonly { name: string }[];
}

async function levelsData(): Promise<LevelsData> {
  const text = (await levelsControl(subject))?.text ?? "";
  return JSON.parse(/id="levels-data">(.*)<\/script>/.exec(text)?.[1] ?? "");
}

test("images that belong nowhere have a section of their own, the least belonging first", () => {
  const section = sections.find(({ id }) => id === "none");
  const order = [...(section?.body.text.matchAll(/alt="image (\d+)"/g) ?? [])].map(([, image]) => Number(image));
  expect([...order].sort((a, b) => a - b)).toEqual(foreign);
  const belonging = order.map((image) => subject.run.assignments[image].belonging ?? 0);
  expect(belonging).toEqual([...belonging].sort((a, b) => a - b));
});

test("they stand for no cluster and for no group, and count all the same", async () => {
  const rows = typicalRows(subject, 160);
  expect(rows.reduce((sum, { size }) => sum + size, 0)).toBe(160);
  const typical = rows.flatMap((row) => row.typical.map(({ image }) => image));
  expect(typical).toHaveLength(157);
  for (const image of foreign) expect(typical).not.toContain(image);
});

test("each level has as many groups as it says, with all images and some to look at", async () => {
  const { clusters, groups } = await levelsData();
  expect(clusters).toBe(4);
  const finest = Math.max(...groups.map(({ to }) => to));
  expect(finest).toBeGreaterThan(8);
  for (let level = 2; level <= finest; level++) {
    const shown = groups.filter(({ from, to }) => from <= level && level <= to);
    expect(shown).toHaveLength(level);
    expect(shown.reduce((sum, { note }) => sum + Number.parseInt(note, 10), 0)).toBe(160);
    for (const { images } of shown) expect(images.length).toBeGreaterThan(0);
  }
  const titles = groups.filter(({ from, to }) => from <= 4 && 4 <= to).map(({ title }) => title);
  expect(titles).toEqual(["Cluster 0", "Cluster 1", "Cluster 2", "Cluster 3"]);
});

test("a run without a tree has no slider, and no section of what nobody looked for", async () => {
  const plain = subjectOf(madeUpRun(join(folder, "plain"), dataset, { k: 4, bare: true }), dataset);
  expect(await levelsControl(plain)).toBeUndefined();
  const { sections } = await contentsOf(plain, { points: 10, command: undefined, embed: firstTwo });
  expect(sections.map(({ id }) => id)).not.toContain("none");
});
