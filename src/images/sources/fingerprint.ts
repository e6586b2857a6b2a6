/**
 * A dataset's fingerprint is the SHA-256 of its image size, such as `1x16x16 uint8` and a line feed, and of all pixels,
 * image by image, channel by channel and row by row. The same pixels have the same fingerprint in every file format.
 */
import { createHash, type Hash } from "node:crypto";
import type { ImageSize } from "../image.ts";

export const startFingerprint = ({ channels, height, width }: ImageSize, type: "uint8" | "float32"): Hash =>
  createHash("sha256").update(`${channels}x${height}x${width} ${type}\n`);
