import { expect, test } from "vitest";
import { labelsOf } from "../../../test/datasets.ts";
import { keyOf } from "../../../test/decided-model.ts";
import { shapeDataset } from "../../../test/shapes.ts";
import { accuracy } from "../../metrics/external.ts";
import { constraintsOf } from "../../runs/decisions/constraints.ts";
import type { Action } from "../../runs/decisions/decision.ts";
import type { Fitted } from "../../runs/fitted.ts";
import { fitDbc } from "./dbc.ts";
import { refine } from "./refine.ts";

const shapes = shapeDataset(200);
const truth = labelsOf(shapes);
const clustered = (k: number): Promise<Fitted> =>
  fitDbc(shapes, { k, batch: 32, pretrainEpochs: 4, overClusteringEpochs: 0, epochs: 6, autoEncoders: 1, threads: 1 });

const keys = Array.from({ length: shapes.count }, (_, image) => keyOf(image));

/** What becomes of it once that was decided. */
function refined(fitted: Fitted, actions: readonly Action[]): Promise<Fitted> {
  const { k, v, architecture, settings, assignments, parameters, statistics, autoEncoder } = fitted;
  const decisions = actions.map((action, index) => ({ number: index + 1, at: "", ...action }));
  const constraints = constraintsOf(decisions, { k, keys, assignments });
  const learned = { k, v, architecture, settings, trained: { parameters, statistics } };
  return refine(shapes, autoEncoder === undefined ? learned : { ...learned, autoEncoder }, constraints, { threads: 1 });
}

const imagesOf = ({ assignments }: Fitted, cluster: number): number[] =>
  [...assignments.keys()].filter((image) => assignments[image] === cluster);

const shapesIn = (images: readonly number[], shape: number): number =>
  images.filter((image) => truth[image] === shape).length;

/** The cluster that holds two shapes, and the lesser of them. */
function mixture(fitted: Fitted): { readonly cluster: number; readonly shape: number } {
  const parts = Array.from({ length: fitted.k }, (_, cluster) => {
    const images = imagesOf(fitted, cluster);
    const counts = [0, 1, 2, 3].map((shape) => [shapesIn(images, shape), shape] as const).sort(([a], [b]) => b - a);
    return { cluster, count: counts[1][0], shape: counts[1][1] };
  });
  return parts.reduce((best, part) => (part.count > best.count ? part : best));
}

test("a split that names a few images takes all that are like them, and other clusters keep their numbers", async () => {
  const before = await clustered(3);
  const { cluster, shape } = mixture(before);
  const named = imagesOf(before, cluster)
    .filter((image) => truth[image] === shape)
    .slice(0, 5);
  const split: Action = {
    kind: "split",
    of: { cluster, examples: [] },
    parts: [{ cluster: 3, images: named.map(keyOf) }],
  };
  const after = await refined(before, [split]);
  expect(after.k).toBe(4);
  expect(shapesIn(imagesOf(after, 3), shape)).toBeGreaterThan(0.9 * shapesIn([...truth.keys()], shape));
  expect(accuracy(truth, after.assignments)).toBeGreaterThan(0.95);
  const moved = [...after.assignments].filter((own, image) => own !== 3 && own !== before.assignments[image]).length;
  expect(moved).toBeLessThan(0.05 * shapes.count);
});

test("merged clusters become one, and the last number fills the gap", async () => {
  const before = await clustered(5);
  const at = (shape: number): number[] =>
    [...Array(5).keys()].filter((cluster) => {
      const images = imagesOf(before, cluster);
      return 2 * shapesIn(images, shape) > images.length;
    });
  const [into, from] = [0, 1, 2, 3].map(at).find((clusters) => clusters.length === 2) ?? [0, 1];
  const reference = (cluster: number) => ({ cluster, examples: imagesOf(before, cluster).slice(0, 16).map(keyOf) });
  const after = await refined(before, [{ kind: "merge", into: reference(into), from: [reference(from)] }]);
  expect(after.k).toBe(4);
  expect(accuracy(truth, after.assignments)).toBeGreaterThan(0.95);
  for (const cluster of [0, 1, 2, 3]) {
    const was = cluster === from ? 4 : cluster;
    const kept = imagesOf(after, cluster).filter((image) => before.assignments[image] === was).length;
    if (cluster !== into && was !== into) expect(kept).toBeGreaterThan(0.9 * imagesOf(before, was).length);
  }
});

test("answers of which a tenth are wrong do no harm", async () => {
  const before = await clustered(4);
  const answers = Array.from({ length: 30 }, (_, index): Action => {
    const image = 7 * index;
    const own = before.assignments[image % shapes.count];
    const cluster = index % 10 === 5 ? (own + 1) % 4 : own;
    return { kind: "move", images: [keyOf(image % shapes.count)], to: { cluster, examples: [] } };
  });
  const after = await refined(before, answers);
  expect(accuracy(truth, after.assignments)).toBeGreaterThanOrEqual(accuracy(truth, before.assignments) - 0.02);
});

test("a run without a network is refused in one line", async () => {
  const { fitKms } = await import("../baselines/kms.ts");
  await expect(refined(await fitKms(shapes, { k: 4, restarts: 1 }), [])).rejects.toThrow(
    "only a run with a network can be refined; make one with the method dbc",
  );
});

test("where people say what the model says, nothing is trained, and nothing changes", async () => {
  const before = await clustered(4);
  const images = Array.from({ length: 20 }, (_, index) => 9 * index);
  const after = await refined(
    before,
    images.map((image): Action => ({ kind: "confirm", images: [keyOf(image)] })),
  );
  expect(after.assignments).toEqual(before.assignments);
  expect(after.parameters).toEqual(before.parameters);
});
