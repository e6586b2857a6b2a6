/** What all images of a dataset, and every map of a network, have in common. */
export interface ImageSize {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

/** Of an image that a convolutional network takes. */
export const shortestSide = 8;

/** How many numbers an image has. */
export const pixelCount = ({ channels, height, width }: ImageSize): number => channels * height * width;

export const formatImageSize = ({ channels, height, width }: ImageSize): string =>
  `${height}x${width} ${channels === 1 ? "grey" : "colour"}`;

/** The size of an image whose pixels are the means of squares of `factor` by `factor`. */
export const shrunkSize = ({ channels, height, width }: ImageSize, factor: number): ImageSize => ({
  channels,
  height: height / factor,
  width: width / factor,
});
