/** A folder of image files, for tests. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { pixelCount } from "../src/images/image.ts";
import { shapeDataset } from "./shapes.ts";

/** The synthetic shapes as PNG files, one sub-folder per group. */
export async function writeShapeFolder(folder: string, count: number): Promise<void> {
  const dataset = shapeDataset(count);
  const { height, width } = dataset.image;
  const pixels = new Float32Array(pixelCount(dataset.image));
  for (let image = 0; image < count; image++) {
    dataset.read([image], pixels);
    const group = join(folder, `group${image % 4}`);
    mkdirSync(group, { recursive: true });
    const raw = { width, height, channels: 1 as const };
    await sharp(
      Uint8Array.from(pixels, (value) => Math.round(255 * value)),
      { raw },
    )
      .png()
      .toFile(join(group, `${image}.png`));
  }
}
