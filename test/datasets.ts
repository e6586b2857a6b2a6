/** Datasets derived from others, and access to a whole dataset. */
import type { Dataset } from "../src/images/dataset.ts";
import { pixelCount } from "../src/images/image.ts";
import { shapeDataset } from "./shapes.ts";

/** All images, one after another. */
export function allImages(dataset: Dataset): Float32Array {
  const images = new Float32Array(dataset.count * pixelCount(dataset.image));
  dataset.read(
    Array.from({ length: dataset.count }, (_, image) => image),
    images,
  );
  return images;
}

/** The label of each image, for datasets that have them. */
export function labelsOf({ name, labels }: Dataset): Int32Array {
  if (labels === undefined) throw new Error(`${name} has no labels`);
  return labels.values;
}

/** The same images without labels. */
export const unlabelled = (dataset: Dataset): Dataset => ({ ...dataset, labels: undefined });

/** The first `count` images. */
export function firstImages(dataset: Dataset, count: number): Dataset {
  const { labels } = dataset;
  return {
    ...dataset,
    count,
    fingerprint: `${dataset.fingerprint} first ${count}`,
    labels: labels === undefined ? undefined : { ...labels, values: labels.values.slice(0, count) },
    itemName: (index) => dataset.itemName(index),
    read: (indices, target) => dataset.read(indices, target),
    close: () => dataset.close(),
  };
}

/** The images of some classes, in order. */
export function ofClasses(dataset: Dataset, classes: readonly number[]): Dataset {
  const values = labelsOf(dataset);
  const chosen = [...values.keys()].filter((image) => classes.includes(values[image]));
  return {
    ...dataset,
    count: chosen.length,
    fingerprint: `${dataset.fingerprint} of ${classes.join(",")}`,
    labels: { names: dataset.labels?.names ?? [], values: Int32Array.from(chosen, (image) => values[image]) },
    itemName: (index) => dataset.itemName(chosen[index]),
    read: (indices, target) =>
      dataset.read(
        Array.from(indices, (index) => chosen[index]),
        target,
      ),
    close: () => dataset.close(),
  };
}

/** The shapes in colour, higher than wide: without their last columns, each channel with its own brightness. */
export function oblongColourShapes(count: number, seed = 0): Dataset {
  const grey = shapeDataset(count, seed);
  const image = { channels: 3, height: 12, width: 9 };
  const square = new Float32Array(pixelCount(grey.image));
  const brightness = [1, 0.7, 0.4];
  const pixel = (place: number): number => {
    const channel = Math.floor(place / (image.height * image.width));
    const row = Math.floor(place / image.width) % image.height;
    return brightness[channel] * square[row * grey.image.width + (place % image.width)];
  };
  return {
    ...grey,
    name: "oblong colour shapes",
    image,
    read(indices, target) {
      const size = pixelCount(image);
      for (let i = 0; i < indices.length; i++) {
        grey.read([indices[i]], square);
        for (let place = 0; place < size; place++) target[i * size + place] = pixel(place);
      }
    },
  };
}
