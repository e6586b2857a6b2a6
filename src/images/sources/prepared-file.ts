/** Image files as pretrained networks take them. */
import { type DecodedPixels, type Preparation, prepareImage, resizedSides, type Sides } from "../preparation.ts";
import { attempt, type Outcome } from "./decode.ts";
import { type OpenImage, openImage, readImage } from "./open-image.ts";

/**
 * A JPEG is decoded at a half, a quarter or an eighth of its size where that is still this many times what it is
 * resized to: with a gap of 3 Pillow's documentation calls the result almost indistinguishable from that of the whole image.
 */
const reducingGap = 3;

/** RGB from 0 to 255, channel by channel ([3, height, width]), or why there is none. */
export const prepareFile = (file: string, preparation: Preparation): Promise<Outcome<Uint8Array>> =>
  attempt(async () => prepareOpened(await readImage(file), preparation));

/** The same of a file whose content was read already. */
export const prepareContent = (content: Buffer, file: string, preparation: Preparation): Promise<Outcome<Uint8Array>> =>
  attempt(async () => prepareOpened(await openImage(content, file), preparation));

async function prepareOpened(image: OpenImage, preparation: Preparation): Promise<Uint8Array> {
  return prepareImage(await decodeWhole(image, resizedSides(image, preparation), preparation), preparation);
}

async function decodeWhole(image: OpenImage, sides: Sides, { resize }: Preparation): Promise<DecodedPixels> {
  const reduction = resize !== undefined && image.format === "jpeg" ? reductionOf(image, sides) : 1;
  const [width, height] = [Math.floor(image.width / reduction), Math.floor(image.height / reduction)];
  const { data, info } = await image.raw((opened) =>
    (reduction === 1 ? opened : opened.resize({ width, height, fit: "fill" })).toColourspace("srgb"),
  );
  return { data, width: info.width, height: info.height, channels: info.channels === 1 ? 1 : 3 };
}

const reductionOf = (image: Sides, { height, width }: Sides): number =>
  [8, 4, 2].find(
    (factor) => image.height >= factor * reducingGap * height && image.width >= factor * reducingGap * width,
  ) ?? 1;
