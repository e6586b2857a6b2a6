/** Tells images with a common background from photographs. */
import type { Images } from "./dataset.ts";
import { type ImageSize, pixelCount } from "./image.ts";

/** The most images that are examined. */
const sample = 200;
/** Colours that differ by no more than this in each channel count as equal. */
const alike = 0.1;

/**
 * Whether more than half of the pixels at the images' borders have one colour: objects that are cut out, drawn, or
 * photographed in one place under one light.
 */
export function haveOneBackground(dataset: Images): boolean {
  const border = borderPixels(dataset);
  // A colour that more than half of the pixels have is near their median.
  const background = border.map((values) => values.toSorted()[values.length >> 1]);
  let same = 0;
  for (let pixel = 0; pixel < border[0].length; pixel++)
    if (border.every((values, channel) => Math.abs(values[pixel] - background[channel]) <= alike)) same++;
  return same > border[0].length / 2;
}

/** The border pixels of images spread evenly over the dataset, by channel. */
function borderPixels(dataset: Images): readonly Float32Array[] {
  const { count, image } = dataset;
  const places = borderPlaces(image);
  const images = Math.min(sample, count);
  const pixels = new Float32Array(pixelCount(image));
  const border = Array.from({ length: image.channels }, () => new Float32Array(images * places.length));
  for (let number = 0; number < images; number++) {
    dataset.read([Math.floor((number * count) / images)], pixels);
    border.forEach((values, channel) => {
      const start = channel * image.height * image.width;
      places.forEach((place, i) => {
        values[number * places.length + i] = pixels[start + place];
      });
    });
  }
  return border;
}

const borderPlaces = ({ height, width }: ImageSize): readonly number[] =>
  Array.from({ length: height * width }, (_, place) => place).filter((place) => {
    const row = Math.floor(place / width);
    const column = place % width;
    return row === 0 || row === height - 1 || column === 0 || column === width - 1;
  });
