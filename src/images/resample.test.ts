import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Resample, type RgbPixels, resample } from "./resample.ts";

const python = process.env.PYTHON ?? "/usr/bin/python3";

/** Rough, so that no filter can be mistaken for another one. */
const rough = (width: number, height: number): RgbPixels => ({
  width,
  height,
  data: Uint8Array.from({ length: 3 * width * height }, (_, at) => at * at * 31 + at * 97),
});

/** Pixel by pixel, as Pillow has it. */
const interleaved = (planes: Uint8Array): Buffer =>
  Buffer.from(planes.map((_, at) => planes[(at % 3) * (planes.length / 3) + Math.floor(at / 3)]));

/** What Pillow 9.4 makes of `rough(7, 5)` in 3 columns and 2 rows. */
const stored: Readonly<Record<Resample, string>> = {
  nearest: "d828b65a1e2094cc427efab408f8264aae50",
  box: "5f7c837572918a9f72725c8488836756a26c",
  bilinear: "6c809c707783939b687d727f6e817360867d",
  hamming: "6d7ea26d78809aa25a7a737f6c8c6b588d7c",
  bicubic: "66829c717488969c657e707d707e745b8680",
  lanczos: "63879b71718a979b6482717d6f7d76588481",
};

/** Pillow's own numbers. */
const numbers: Readonly<Record<Resample, number>> = {
  nearest: 0,
  lanczos: 1,
  bilinear: 2,
  bicubic: 3,
  box: 4,
  hamming: 5,
};

const methods: readonly Resample[] = ["nearest", "box", "bilinear", "hamming", "bicubic", "lanczos"];

test("a small image is what Pillow makes of it", () => {
  for (const method of methods)
    expect(interleaved(resample(rough(7, 5), { width: 3, height: 2 }, method)).toString("hex"), method).toBe(
      stored[method],
    );
});

test("an image that keeps its size keeps its pixels", () => {
  const pixels = rough(9, 6);
  for (const method of methods)
    expect(interleaved(resample(pixels, pixels, method)), method).toEqual(Buffer.from(pixels.data));
});

test("a part is what would be cut out of the whole", () => {
  const [pixels, sides] = [rough(40, 31), { width: 23, height: 50 }];
  const part = { left: 4, top: 17, width: 11, height: 20 };
  for (const method of methods) {
    const whole = resample(pixels, sides, method);
    const cut = resample(pixels, sides, method, part).map((value, at) => {
      const [column, row] = [at % part.width, Math.floor(at / part.width) % part.height];
      const channel = Math.floor(at / (part.width * part.height));
      return value - whole[(channel * sides.height + part.top + row) * sides.width + part.left + column];
    });
    expect(
      cut.every((difference) => difference === 0),
      method,
    ).toBe(true);
  }
});

/** What Pillow itself says. */
function inPillow({ data, width, height }: RgbPixels, [across, down]: readonly [number, number], method: Resample) {
  const script = `import sys
from PIL import Image
image = Image.frombytes("RGB", (${width}, ${height}), sys.stdin.buffer.read())
sys.stdout.buffer.write(image.resize((${across}, ${down}), ${numbers[method]}).tobytes())`;
  const { stdout, stderr, status } = spawnSync(python, ["-c", script], { input: data });
  expect(status, String(stderr)).toBe(0);
  return stdout;
}

test("images are what Pillow makes of them, larger and smaller", { timeout: 60_000 }, (context) => {
  if (spawnSync(python, ["-c", "import PIL"]).status !== 0) {
    console.warn(`not compared with Pillow: ${python} has no PIL (install Debian's python3-pil, or set PYTHON)`);
    context.skip();
  }
  const cases = [
    {
      pixels: rough(101, 67),
      sizes: [
        [50, 33],
        [37, 90],
        [101, 20],
        [230, 151],
      ],
    },
    {
      pixels: rough(2, 3),
      sizes: [
        [1, 1],
        [9, 16],
      ],
    },
    // More than is resized at once.
    { pixels: rough(1100, 701), sizes: [[64, 300]] },
  ] as const;
  for (const method of methods)
    for (const { pixels, sizes } of cases)
      for (const [width, height] of sizes) {
        const ours = interleaved(resample(pixels, { width, height }, method));
        expect(ours.equals(inPillow(pixels, [width, height], method)), `${method} ${width}x${height}`).toBe(true);
      }
});
