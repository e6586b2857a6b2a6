/**
 * Known pictures: drawings that any network that was trained on ImageNet names rightly. They are drawn here, so that
 * nobody's photographs are needed.
 */
import { loadSharp } from "../files/sharp.ts";
import { imageSide } from "./layers.ts";

export interface Drawing {
  /** What it shows, by ImageNet's name. */
  readonly name: string;
  /** The number of that class, from 0 to 999. */
  readonly imageNetClass: number;
  readonly svg: string;
}

/** `count` copies, turned evenly about the centre. */
const around = (count: number, shape: string): string =>
  Array.from({ length: count }, (_, i) => `<g transform="rotate(${(360 * i) / count} 128 128)">${shape}</g>`).join("");

const background = (colour: string): string => `<rect width="256" height="256" fill="${colour}"/>`;

/** Squares of a crossword row by row: 1 is black. */
const crosswordRows = [
  "000100000100",
  "010000101000",
  "000010000001",
  "101000010010",
  "000001000100",
  "010100001000",
  "000010100010",
  "001000001001",
  "100001000000",
  "000100010100",
  "010000100000",
  "000010000101",
];

const crosswordSquares = crosswordRows.flatMap((row, y) =>
  [...row].map((square, x) => {
    const colour = square === "1" ? "#000" : "#fff";
    return `<rect x="${8 + 20 * x}" y="${8 + 20 * y}" width="20" height="20" fill="${colour}" stroke="#000"/>`;
  }),
);

/** Hedges in rings, each with a gap. */
const hedges = [14, 33, 52, 71, 90, 109, 128, 147, 166].map(
  (r) =>
    `<circle cx="128" cy="128" r="${r}" fill="none" stroke="#263" stroke-width="9" ` +
    `stroke-dasharray="${5.6 * r} ${0.68 * r}" transform="rotate(${37 * r} 128 128)"/>`,
);

export const drawings: readonly Drawing[] = [
  {
    name: "analog clock",
    imageNetClass: 409,
    svg:
      `${background("#b98")}<circle cx="128" cy="128" r="108" fill="#fff" stroke="#222" stroke-width="8"/>` +
      around(12, '<path d="M128 33 V48" stroke="#111" stroke-width="5"/>') +
      '<path d="M128 58 V128" stroke="#111" stroke-width="5"/><path d="M128 128 L172 150" stroke="#111" ' +
      'stroke-width="8"/><circle cx="128" cy="128" r="7"/>',
  },
  {
    name: "crossword puzzle",
    imageNetClass: 918,
    svg: background("#fff") + crosswordSquares.join(""),
  },
  {
    name: "daisy",
    imageNetClass: 985,
    svg:
      background("#274d1c") +
      around(18, '<ellipse cx="128" cy="68" rx="14" ry="52" fill="#fff" stroke="#ccc"/>') +
      '<circle cx="128" cy="128" r="32" fill="#f5b800"/>',
  },
  {
    name: "jack-o'-lantern",
    imageNetClass: 607,
    svg:
      `${background("#0a0a0a")}<ellipse cx="128" cy="140" rx="100" ry="86" fill="#d86a10"/>` +
      '<ellipse cx="128" cy="140" rx="55" ry="86" fill="#e67a1a"/><rect x="118" y="36" width="20" height="28" ' +
      'fill="#463"/><path fill="#ffe35a" d="M80 125 L100 90 L118 125Z M138 125 L156 90 L176 125Z M118 150 L128 130 ' +
      "L138 150Z M65 160 L85 172 L100 160 L115 175 L128 162 L141 175 L156 160 L171 172 L191 160 Q170 210 128 208 " +
      'Q86 210 65 160Z"/>',
  },
  { name: "maze", imageNetClass: 646, svg: background("#6b4") + hedges.join("") },
];

/** A drawing as a network takes it: RGB, channel by channel, from 0 to 1. */
export async function drawingPixels({ svg }: Drawing): Promise<Float32Array> {
  const sharp = await loadSharp();
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="${imageSide}" height="${imageSide}" viewBox="0 0 256 256">`;
  const image = sharp(Buffer.from(`${page}${svg}</svg>`))
    .removeAlpha()
    .toColourspace("srgb");
  const bytes = await image.raw().toBuffer();
  const area = imageSide * imageSide;
  return Float32Array.from({ length: 3 * area }, (_, at) => bytes[3 * (at % area) + Math.floor(at / area)] / 255);
}
