/** Vectors of which there are no images, drawn: each number is a square, the brighter the larger. */
import type { Dataset, Images } from "./dataset.ts";
import { pixelCount } from "./image.ts";

/** Of a picture; of longer vectors, the first numbers are drawn. */
const longestSide = 32;

/** Samples that the scale of the numbers is taken from. */
const samples = 500;

/** Something to look at in place of images, in the same order, with the same names and labels. */
export function vectorPictures(vectors: Dataset): Dataset {
  const length = pixelCount(vectors.image);
  const side = Math.min(longestSide, Math.ceil(Math.sqrt(length)));
  const { mean, deviation } = scaleOf(vectors, length);
  const values = new Float32Array(length);
  const draw = (index: number, target: Float32Array): void => {
    vectors.read([index], values);
    for (let place = 0; place < target.length; place++)
      target[place] =
        place < length ? Math.max(0, Math.min(1, 0.5 + (values[place] - mean[place]) / (4 * deviation[place]))) : 0;
  };
  return {
    ...vectors,
    image: { channels: 1, height: side, width: side },
    read: (indices, target) => {
      for (let place = 0; place < indices.length; place++)
        draw(indices[place], target.subarray(place * side * side, (place + 1) * side * side));
    },
  };
}

function scaleOf(vectors: Images, length: number) {
  const count = Math.min(samples, vectors.count);
  const rows = Array.from({ length: count }, (_, place) => Math.floor((place * vectors.count) / count));
  const values = new Float32Array(count * length);
  vectors.read(rows, values);
  const [mean, deviation] = [new Float64Array(length), new Float64Array(length)];
  for (let place = 0; place < values.length; place++) mean[place % length] += values[place] / count;
  for (let place = 0; place < values.length; place++)
    deviation[place % length] += (values[place] - mean[place % length]) ** 2 / count;
  return { mean, deviation: deviation.map((variance) => Math.sqrt(variance) || 1) };
}
