import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { shapeDataset } from "../../../test/shapes.ts";
import { neighbourGraph } from "../../clustering/neighbour-graph.ts";
import { nearestNeighbours } from "../../clustering/neighbours.ts";
import type { Images } from "../../images/dataset.ts";
import { matrix } from "../../numeric/matrix.ts";
import { loadRun, readAssignments, saveRun } from "../../runs/run-folder.ts";
import { hardAssignments } from "../training/assignments.ts";
import { fitDbc } from "./dbc.ts";
import { seeImages } from "./learned.ts";
import { smoothedScores } from "./neighbour-smoothing.ts";
import { dbcSettings } from "./options.ts";

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

test("smoothing changes scores, and no model", async () => {
  const [smooth, own] = [await fitDbc(shapes, briefly), await fitDbc(shapes, { ...briefly, smoothing: 0 })];
  expect(smooth.parameters).toEqual(own.parameters);
  expect(smooth.features).toEqual(own.features);
  expect(smooth.scores).not.toEqual(own.scores);
});

test("the paper's preset smooths nothing, nor does the boosted one vectors", () => {
  const smoothing = (images: Images, options = {}): number => dbcSettings(images, { k: 4, ...options }).smoothing;
  expect(smoothing(shapes)).toBe(0.95);
  expect(smoothing(shapes, { preset: "paper" })).toBe(0);
  expect(smoothing({ ...shapes, image: { channels: 16, height: 1, width: 1 } })).toBe(0);
});

test("a cluster of one image is still there, however much its neighbours are something else", async () => {
  // Nine points in a row, all linked; the last one is a cluster by itself.
  const points = matrix(
    Float32Array.from({ length: 9 }, (_, place) => place),
    1,
  );
  const graph = neighbourGraph(await nearestNeighbours(points, { neighbours: 2, threads: 1 }));
  const scores = Float32Array.from({ length: 18 }, (_, place) => (place % 2 === Number(place > 15) ? 0.9 : 0.1));
  const smooth = smoothedScores(graph, scores, { k: 2, share: 0.8 });
  expect([...hardAssignments(smooth, 2)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
});
