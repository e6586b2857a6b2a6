import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { unlabelled } from "../../test/datasets.ts";
import { firstTwo, type MadeUpRun, madeUpRun } from "../../test/reported-run.ts";
import { shapeDataset } from "../../test/shapes.ts";
import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { pixelCount } from "../images/image.ts";
import { percent, shortName } from "../numeric/format.ts";
import { Random } from "../numeric/random.ts";
import { clarityByLabels, clarityBySilhouette } from "./clarity.ts";
import { contentsOf } from "./contents.ts";
import { makeReport } from "./make-report.ts";
import { renderPage } from "./page.ts";
import { evenly, extent, wholePlaces } from "./places.ts";
import { subjectOf } from "./subject.ts";
import { summarize } from "./summary.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-report-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let runs = 0;
const makeRun = (dataset: Dataset, options: MadeUpRun) => madeUpRun(join(folder, String(runs++)), dataset, options);

async function contents(dataset: Dataset, options: MadeUpRun, command?: string) {
  const subject = subjectOf(makeRun(dataset, options), dataset);
  return contentsOf(subject, { points: 10_000, command, embed: firstTwo });
}

/** The text of a page. */
const wordsOf = (page: string): string =>
  page
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("a run with everything known has every section, from top to bottom", async () => {
  const all = await contents(shapeDataset(90), { k: 4 }, "boostcluster cluster shapes -k 4");
  expect(all.sections.map(({ title }) => title)).toEqual([
    "The clusters",
    "How sure it is",
    "The map",
    "How training went",
    "Against the labels",
    "Inside the network",
    "The settings",
    "Use it again",
  ]);
  const words = wordsOf(renderPage(all));
  for (const said of [
    "90 grey images of 12 × 12 pixels, sorted into 4 clusters by DBC in 1 min 5 s.",
    "Training ended after 4 epochs, as many as it was given; in the last epoch but one, 3 % of the images had changed cluster.",
    "of the images are in the cluster that stands for their label (ACC 0.9",
    "% are labelled shape 3",
    "Every dot is an image.",
    "Scores, epoch by epoch",
    "The map, epoch by epoch",
    "Sure, but not as labelled",
    "What images become in it",
    "What it looks for",
    "What drives it",
    "sgd, learning rate 0.1",
    "boostcluster cluster shapes -k 4",
    "boostcluster predict . new-images",
  ])
    expect(words).toContain(said);
});

test("how training ended is told as far as it is known", () => {
  const dataset = shapeDataset(40);
  const subject = subjectOf(makeRun(dataset, { k: 4 }), dataset);
  const endOf = (record: Partial<typeof subject.record>): string =>
    summarize({ ...subject, record: { ...subject.record, ...record } })
      .work.split(". ")
      .slice(1)
      .join(". ");
  const unmoved = subject.record.history.map((entry) => ({ ...entry, changed: 0 }));
  expect(endOf({ converged: true })).toBe("The clusters settled after 4 epochs.");
  expect(endOf({ converged: false, history: unmoved })).toBe(
    "Training ended after 4 epochs, as many as it was given; in the last epoch but one, no image had changed cluster.",
  );
  expect(endOf({ converged: false, history: subject.record.history.slice(0, 4) })).toBe("");
});

test("what is not known is left out silently", async () => {
  const few = await contents(unlabelled(shapeDataset(40)), { k: 3, bare: true });
  expect(few.sections.map(({ id }) => id)).toEqual(["clusters", "certainty", "map", "settings", "usage"]);
  const words = wordsOf(renderPage(few));
  expect(words).toContain("Their silhouette is 0.40");
  for (const unsaid of ["ACC", "label", "epoch", "undefined", "NaN", "The same run again"])
    expect(words).not.toContain(unsaid);
});

test.each([
  ["two images", 2, 2],
  ["one cluster", 30, 1],
  ["more clusters than labels, some of them empty", 30, 12],
])("%s", async (_, count, k) => {
  const page = renderPage(await contents(shapeDataset(count), { k }));
  expect(page.match(/<article class="card"/g)?.length).toBeLessThanOrEqual(k);
  expect(wordsOf(page)).not.toMatch(/undefined|NaN/);
});

test("names of files and labels are text, not markup", async () => {
  const evil = `<script>alert("1")</script><img src=x onerror='alert(2)'>&amp;.png`;
  const dataset: Dataset = {
    ...shapeDataset(24),
    name: `photos/${evil}`,
    origin: { source: `/photos/${evil}`, fit: "cover" },
    labels: { names: [evil, "</title>", "'\"", "</script>"], values: Int32Array.from({ length: 24 }, (_, i) => i % 4) },
    skipped: [{ file: evil, reason: evil }],
    itemName: (index) => `${index}${evil}`,
  };
  const page = renderPage(await contents(dataset, { k: 4 }, `boostcluster cluster ${evil}`));
  expect(page).not.toContain("<script>alert");
  expect(page).not.toContain("<img src=x");
  expect(page.match(/<script[ >]/g)).toHaveLength(2);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page.match(/<\/title>/g)).toHaveLength(1);
  const [, data] = /<script type="application\/json" id="map-data">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(data)).toMatchObject({ names: { 0: `0${evil}` }, labels: { names: { 3: "</script>" } } });
});

test("the page refers to nothing outside itself", async () => {
  const page = renderPage(await contents(shapeDataset(24), { k: 4 }));
  expect(page).toContain("default-src 'none'".replaceAll("'", "&#39;"));
  const sources = [...page.matchAll(/(?:src|srcset|href)="([^"]*)"/g)].map(([, source]) => source);
  expect(sources.length).toBeGreaterThan(40);
  for (const source of sources) expect(source).toMatch(/^(#|data:image\/webp;base64,)/);
});

test("the same run gives the same bytes; the map is t-SNE's", async () => {
  const dataset = shapeDataset(40);
  const run = makeRun(dataset, { k: 4 });
  const steps = new Set<string>();
  const first = await makeReport(run, dataset, { points: 30, threads: 1, onProgress: (step) => steps.add(step) });
  expect(await makeReport(run, dataset, { points: 30, threads: 1 })).toBe(first);
  expect([...steps]).toEqual(["map", "map of epoch 0", "map of epoch 2", "map of the end"]);
  expect(wordsOf(first)).toContain("Every dot is one of 30 images, chosen evenly.");
});

test("10,000 images of noise, 28x28, on a map of as many points, take less than 15 MB", async () => {
  const page = renderPage(await contents(noise(10_000), { k: 100, bare: true }));
  expect(Buffer.byteLength(page)).toBeLessThan(15e6);
});

test("invalid options and other images are refused with an InputError", async () => {
  const dataset = shapeDataset(20);
  const run = makeRun(dataset, { k: 2, bare: true });
  for (const points of [0, 10_001, 2.5])
    await expect(makeReport(run, dataset, { points })).rejects.toThrow(/points must be a whole number from 1 to 10000/);
  await expect(makeReport(run, shapeDataset(20, 1))).rejects.toThrow(InputError);
  await expect(makeReport(run, dataset, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
});

test("the report says how clear the clusters are", () => {
  expect(clarityByLabels({ acc: 0.95, nmi: 0.9 })).toMatch(/closely: 95 % of the images .*ACC 0\.950, NMI 0\.900/);
  expect(clarityByLabels({ acc: 0.2, nmi: 0.1 })).toContain("something other than the labels");
  expect(clarityBySilhouette(0.8)).toContain("clearly separated");
  expect(clarityBySilhouette(-0.1)).toMatch(/run into each other.* -0\.10/);
});

test("places on the map are whole, centred and the right way up", () => {
  expect(wholePlaces(Float32Array.of(0, 0, 2, 1))).toEqual([0, 3071, extent, 1024]);
  expect(wholePlaces(Float32Array.of(5, 5))).toEqual([2048, 2048]);
  expect(evenly(10, 4)).toEqual([0, 2, 5, 7]);
  expect(evenly(3, 10)).toEqual([0, 1, 2]);
});

test("shares are not rounded to all or nothing, and long names are shortened", () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(["0 %", "under 1 %", "50 %", "over 99 %", "100 %"]);
  expect(shortName("a/very/long/path.png", 10)).toBe("…/path.png");
});

/** Images that cannot be compressed. */
function noise(count: number): Dataset {
  const image = { channels: 1, height: 28, width: 28 };
  const random = new Random(0, "noise");
  return {
    ...unlabelled(shapeDataset(1)),
    count,
    image,
    read: (indices, target) => {
      for (let at = 0; at < indices.length * pixelCount(image); at++) target[at] = random.uniform();
    },
  };
}
