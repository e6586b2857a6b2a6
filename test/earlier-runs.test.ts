import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRunImages } from "../src/export/run-contents.ts";
import type { Dataset } from "../src/images/dataset.ts";
import { pixelCount } from "../src/images/image.ts";
import { methods } from "../src/methods/methods.ts";
import { isEnsemble } from "../src/network/ensemble.ts";
import { Predictor } from "../src/network/predictor.ts";
import { makeReport } from "../src/report/make-report.ts";
import { loadRun, readAssignments } from "../src/runs/run-folder.ts";

/** DBC with preset boosted, on a network of few filters, saved by the version that the folder is named after. */
const folder = fileURLToPath(new URL("runs/0.1.0", import.meta.url));
const run = join(folder, "run");
const cacheFolder = mkdtempSync(join(tmpdir(), "boostcluster-earlier-"));
let images: Dataset;

beforeAll(async () => {
  images = await openRunImages(loadRun(run).record, { images: join(folder, "images"), cacheFolder });
});

afterAll(() => {
  images.close();
  rmSync(cacheFolder, { recursive: true });
});

test("settings and stages have the names that they have now", () => {
  const { record, autoEncoder } = loadRun(run);
  expect(record.versions.boostcluster).toBe("0.1.0");
  expect(record.settings).toMatchObject({
    overClusteringEpochs: 2,
    warmUpEpochs: 2,
    unaugmentedEpochs: 1,
    reclusterings: 1,
    pseudoLabelWeight: 1,
    finalLearningRate: 0.05,
    initialClusters: "graph",
  });
  if (isEnsemble(record.architecture)) throw new Error("DBC has a network");
  const now = methods.dbc.settings(images, { k: 2, architecture: record.architecture });
  expect(Object.keys(record.settings).sort()).toEqual([...Object.keys(now), "source", "fit"].sort());
  const stages = new Set(record.history.map(({ stage }) => stage));
  expect([...stages]).toEqual(["auto-encoder", "over-clustering", "clustering"]);
  expect(autoEncoder).toBeDefined();
});

test("its model predicts what was saved", async () => {
  const { record, trained } = loadRun(run);
  const rows = readAssignments(run);
  expect(rows.map(({ item }) => item)).toEqual(Array.from({ length: 12 }, (_, image) => images.itemName(image)));
  const pixels = new Float32Array(images.count * pixelCount(images.image));
  images.read([...rows.keys()], pixels);
  const predictor = await Predictor.open(record.architecture, trained, { k: record.k, v: record.v });
  const { scores } = await predictor.predict(pixels);
  await predictor.close();
  rows.forEach(({ cluster, score, label }, row) => {
    expect(scores[row * record.k + cluster]).toBeCloseTo(score, 4);
    expect(label).toBe(row < 6 ? "bars" : "dots");
  });
});

test("it has a report", async () => {
  const reported = { ...loadRun(run), assignments: readAssignments(run) };
  const page = await makeReport(reported, images, { threads: 1 });
  for (const said of ["12 grey images of 12 × 12 pixels", "Learning small groups", "reclusterings"])
    expect(page).toContain(said);
});
