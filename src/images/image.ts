/** The size of all images of a dataset, or of a map of a network. */
export interface ImageSize {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

/** The shortest side of an image that a convolutional network accepts. */
export const shortestSide = 8;

/** The number of values of an image. */
export const pixelCount = ({ channels, height, width }: ImageSize): number => channels * height * width;

/** Whether it is a vector: an image of 1x1 with a channel for each number. */
export const isVector = ({ height, width }: ImageSize): boolean => height === 1 && width === 1;

export const vectorSize = (length: number): ImageSize => ({ channels: length, height: 1, width: 1 });

export const formatImageSize = ({ channels, height, width }: ImageSize): string =>
  height === 1 && width === 1
    ? `vectors of ${channels} ${channels === 1 ? "number" : "numbers"}`
    : `${height}x${width} ${channels === 1 ? "grey" : "colour"}`;

/** The size of an image whose pixels are the means of squares of `factor` by `factor`. */
export const shrunkSize = ({ channels, height, width }: ImageSize, factor: number): ImageSize => ({
  channels,
  height: height / factor,
  width: width / factor,
});
