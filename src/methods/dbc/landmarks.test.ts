/** Clusters that are learned from some images, which the others join. */
import { expect, test } from "vitest";
import { blobDataset } from "../../../test/blobs.ts";
import { labelsOf } from "../../../test/datasets.ts";
import { StoppingStore } from "../../../test/stopping-store.ts";
import { accuracy } from "../../metrics/external.ts";
import type { SnapshotSource } from "../../runs/snapshots.ts";
import { fitDbc } from "./dbc.ts";
import { landmarksAmong } from "./landmarks.ts";
import type { DbcOptions } from "./options.ts";

const blobs = blobDataset({ groups: 3, count: 900, dimensions: 4, distance: 3 });
const truth = labelsOf(blobs);

const options: DbcOptions = { k: 3, landmarks: 300, smoothing: 0.8, threads: 1, seed: 1 };

/** What onlookers are told. */
function watched() {
  const seen: (Uint32Array | undefined)[] = [];
  const sources: SnapshotSource[] = [];
  return {
    seen,
    sources,
    evaluate: (assignments: Int32Array, images?: Uint32Array) => {
      seen.push(images);
      return {
        acc: accuracy(
          truth.filter((_, image) => images?.includes(image)),
          assignments,
        ),
      };
    },
    snapshots: {
      wantsFeatures: () => false,
      record: (_: number, source: SnapshotSource) => void sources.push(source),
    },
  };
}

test("landmarks are learned from, all images have a cluster, and whoever looks on hears of landmarks by their places", async () => {
  const { seen, sources, ...watching } = watched();
  const fitted = await fitDbc(blobs, { ...options, ...watching });
  const landmarks = landmarksAmong(900, { landmarks: 300, seed: 1 });
  expect(landmarks.length).toBe(300);
  expect(accuracy(truth, fitted.assignments)).toBeGreaterThan(0.97);
  expect(fitted.history.map(({ metrics }) => metrics?.acc ?? 0).at(-1)).toBeGreaterThan(0.97);
  for (const images of [...seen, ...sources.map(({ images: of }) => of)]) expect(images).toEqual(landmarks);
});

test("smoothing changes the scores of the others, too, which still add up to 1", async () => {
  const [alone, smooth] = [await fitDbc(blobs, { ...options, smoothing: 0 }), await fitDbc(blobs, options)];
  expect(smooth.parameters).toEqual(alone.parameters);
  expect(accuracy(truth, smooth.assignments)).toBeGreaterThan(0.97);
  const isLandmark = new Set(landmarksAmong(900, { landmarks: 300, seed: 1 }));
  const changed = Array.from(truth.keys()).filter((image) => smooth.scores[3 * image] !== alone.scores[3 * image]);
  expect(changed.some((image) => isLandmark.has(image))).toBe(true);
  expect(changed.some((image) => !isLandmark.has(image))).toBe(true);
  for (let image = 0; image < 900; image++) {
    const total = smooth.scores.subarray(3 * image, 3 * image + 3).reduce((sum, score) => sum + score, 0);
    expect(total).toBeCloseTo(1, 5);
  }
});

test("a stopped run goes on to the very same end", async () => {
  const whole = await fitDbc(blobs, options);
  const stopping = new StoppingStore(undefined, 3);
  await expect(fitDbc(blobs, { ...options, checkpoints: stopping })).rejects.toThrow("stopped");
  const resumed = await fitDbc(blobs, { ...options, checkpoints: new StoppingStore(stopping.last, -1) });
  expect(resumed.parameters).toEqual(whole.parameters);
  expect(resumed.scores).toEqual(whole.scores);
});

test("what something was said about is a landmark", () => {
  const known = new Int32Array(900).fill(-1);
  const chosen = landmarksAmong(900, { landmarks: 300, seed: 1 });
  const [a, b, c, d, e] = Array.from(known.keys()).filter((image) => !chosen.includes(image));
  known[e] = 0;
  const constraints = { known, together: [[a, b]], apart: [[c, d]] } as const;
  const landmarks = landmarksAmong(900, { landmarks: 300, seed: 1, constraints });
  expect([...landmarks]).toEqual([...chosen, a, b, c, d, e].sort((one, other) => one - other));
});

test("fewer landmarks than clusters are refused", async () => {
  await expect(fitDbc(blobs, { ...options, landmarks: 2 })).rejects.toThrow(
    "landmarks must be at least as many as clusters, 3, not 2",
  );
});
