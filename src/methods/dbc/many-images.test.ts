/** More images than an epoch sees: 70,400 vectors, which take little time. */
import { expect, test } from "vitest";
import { blobDataset } from "../../../test/blobs.ts";
import { labelsOf } from "../../../test/datasets.ts";
import { StoppingStore } from "../../../test/stopping-store.ts";
import type { Dataset } from "../../images/dataset.ts";
import { accuracy } from "../../metrics/external.ts";
import { fitDbc } from "./dbc.ts";
import type { DbcOptions } from "./options.ts";

const blobs = blobDataset({ groups: 3, count: 70_400, dimensions: 4, distance: 3 });

const options: DbcOptions = {
  ...{ k: 3, epochs: 4, warmUpEpochs: 2, batches: 5, batch: 128, initialClusters: "k-means" },
  ...{ restarts: 1, threads: 1, seed: 1 },
};

/** Counts images, and refuses more at once than are looked at for principal components. */
function counted(dataset: Dataset): { readonly dataset: Dataset; readonly images: () => number } {
  let images = 0;
  return {
    images: () => images,
    dataset: {
      ...dataset,
      read(indices, target) {
        expect(indices.length).toBeLessThanOrEqual(10_000);
        images += indices.length;
        dataset.read(indices, target);
      },
    },
  };
}

test("an epoch reads the images that it sees, to score and to learn from them, however many there are", async () => {
  const readBy = async (epochs: number): Promise<number> => {
    const { dataset, images } = counted(blobs);
    await fitDbc(dataset, { ...options, epochs });
    return images();
  };
  expect((await readBy(6)) - (await readBy(4))).toBe(2 * 2 * 5 * 128);
});

test("clusters are found all the same, and a stopped run goes on to the very same end", async () => {
  const seen: (number | undefined)[] = [];
  const evaluate = (assignments: Int32Array, images?: Uint32Array) => {
    seen.push(images?.length);
    return {
      acc: accuracy(
        labelsOf(blobs).filter((_, image) => images?.includes(image) ?? true),
        assignments,
      ),
    };
  };
  const whole = await fitDbc(blobs, { ...options, evaluate });
  expect(seen).toEqual(new Array(4).fill(5 * 128));
  expect(whole.history.map(({ metrics }) => metrics?.acc ?? 0).every((acc) => acc > 0.95)).toBe(true);
  expect(accuracy(labelsOf(blobs), whole.assignments)).toBeGreaterThan(0.95);
  const stopping = new StoppingStore(undefined, 3);
  await expect(fitDbc(blobs, { ...options, checkpoints: stopping })).rejects.toThrow("stopped");
  const resumed = await fitDbc(blobs, { ...options, checkpoints: new StoppingStore(stopping.last, -1) });
  expect(resumed.parameters).toEqual(whole.parameters);
  expect(resumed.assignments).toEqual(whole.assignments);
});
