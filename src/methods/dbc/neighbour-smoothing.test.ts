import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { shapeDataset } from "../../../test/shapes.ts";
import { loadRun, readAssignments, saveRun } from "../../runs/run-folder.ts";
import { hardAssignments } from "../training/assignments.ts";
import { fitDbc } from "./dbc.ts";
import { seeImages } from "./learned.ts";

const folder = mkdtempSync(join(tmpdir(), "smoothing-"));
afterAll(() => rmSync(folder, { recursive: true }));

const shapes = shapeDataset(200);
const briefly = { k: 4, batch: 32, pretrainEpochs: 2, overClusteringEpochs: 0, epochs: 2, autoEncoders: 1, threads: 1 };

test("a run says of its images what its saved model says of them, smoothed", async () => {
  const fitted = await fitDbc(shapes, briefly);
  saveRun(folder, fitted, shapes);
  const run = loadRun(folder);
  const seen = await seeImages(shapes, { ...run.record, ...run }, { threads: 1 });
  expect(seen.scores).toEqual(fitted.scores);
  expect(hardAssignments(seen.scores, 4)).toEqual(fitted.assignments);
  expect(readAssignments(folder).map(({ cluster }) => cluster)).toEqual([...fitted.assignments]);
});

test("smoothing changes no model, and scores only where it is asked for", async () => {
  const [smooth, own] = [await fitDbc(shapes, briefly), await fitDbc(shapes, { ...briefly, smoothing: 0 })];
  expect(smooth.parameters).toEqual(own.parameters);
  expect(smooth.features).toEqual(own.features);
  expect(smooth.scores).not.toEqual(own.scores);
  const paper = await fitDbc(shapes, { ...briefly, preset: "paper" });
  expect(paper.settings.smoothing).toBe(0);
});
