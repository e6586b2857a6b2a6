/** What an image is known by, wherever it lies: the SHA-256 of a file's bytes, or of the pixels of any other image. */
import { createHash } from "node:crypto";
import type { Images } from "./dataset.ts";
import { isVector, pixelCount } from "./image.ts";
import { type DecodedPixels, interleaved } from "./preparation.ts";

export const fileHash = (content: Uint8Array): Buffer => createHash("sha256").update(content).digest();

export const pixelHash = ({ data, height, width, channels }: DecodedPixels): Buffer =>
  createHash("sha256").update(`${height}x${width}x${channels} `).update(data).digest();

/** Of each image in turn; vectors are known by their numbers as they are. */
export function* imageHashes(images: Images): Generator<Buffer> {
  const { image, count } = images;
  const values = new Float32Array(pixelCount(image));
  for (let index = 0; index < count; index++) {
    images.read([index], values);
    yield isVector(image) ? fileHash(new Uint8Array(values.buffer)) : pixelHash(interleaved(values, image));
  }
}
