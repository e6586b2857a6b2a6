/** Drawn scenes, each unlike the others, and copies of them as cameras, editors and messengers make them. */
import sharp, { type Sharp } from "sharp";
import { Random } from "../src/numeric/random.ts";

const [width, height] = [480, 360];

export interface SceneOptions {
  /** Pixels by which the bird in the sky has flown to the right. Default: 0. */
  readonly moved?: number;
}

/** A sky, a ground, some objects and the grain of a camera, as PNG. */
export async function drawScene(seed: number, { moved = 0 }: SceneOptions = {}): Promise<Buffer> {
  const random = new Random(seed, "scene");
  const between = (low: number, high: number): number => low + (high - low) * random.uniform();
  const colour = (darkest = 15): string => `hsl(${between(0, 360)},${between(20, 90)}%,${between(darkest, 85)}%)`;
  const objects = Array.from({ length: 6 }, () => {
    const [x, y, size] = [between(30, width - 90), between(30, height - 60), between(20, 80)];
    const turn = `rotate(${between(0, 90)} ${x} ${y})`;
    return random.uniform() < 0.5
      ? `<circle cx="${x}" cy="${y}" r="${size / 1.5}" fill="${colour()}"/>`
      : `<rect x="${x}" y="${y}" width="${size}" height="${between(20, 80)}" fill="${colour()}" transform="${turn}"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<linearGradient id="sky" x1="${between(0, 1)}" x2="${between(0, 1)}" y2="1">
<stop stop-color="${colour(60)}"/><stop offset="1" stop-color="${colour()}"/></linearGradient>
<rect width="${width}" height="${height}" fill="url(#sky)"/>
<rect y="${between(150, 300)}" width="${width}" height="${height}" fill="${colour()}"/>${objects.join("")}
<ellipse cx="${between(60, 300) + moved}" cy="60" rx="22" ry="10" fill="#000"/></svg>`;
  const pixels = await sharp(Buffer.from(drawing)).removeAlpha().raw().toBuffer();
  const grained = pixels.map((value) => Math.max(0, Math.min(255, Math.round(value + between(-8, 8)))));
  return sharp(grained, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const cropped = (scene: Buffer, [left, right, top, bottom]: readonly number[]): Sharp =>
  sharp(scene).extract({
    left: Math.round(left * width),
    top: Math.round(top * height),
    width: Math.round((1 - left - right) * width),
    height: Math.round((1 - top - bottom) * height),
  });

/** By the name of a file. */
export const copyMakers: Readonly<Record<string, (scene: Buffer) => Sharp>> = {
  "compressed.jpg": (scene) => sharp(scene).jpeg({ quality: 30 }),
  "other-format.webp": (scene) => sharp(scene).webp({ quality: 60 }),
  "quarter.jpg": (scene) =>
    sharp(scene)
      .resize(width / 4)
      .jpeg(),
  "cropped.jpg": (scene) => cropped(scene, [0.05, 0.05, 0.05, 0.05]).jpeg(),
  "cropped-aside.jpg": (scene) => cropped(scene, [0.05, 0, 0.01, 0.05]).resize(200).jpeg({ quality: 50 }),
  "brighter.jpg": (scene) => sharp(scene).modulate({ brightness: 1.08 }).jpeg(),
  "darker.jpg": (scene) => sharp(scene).linear(0.92, 0).jpeg(),
  "turned-by-exif.jpg": (scene) => sharp(scene).rotate(270).withMetadata({ orientation: 6 }).jpeg(),
};
