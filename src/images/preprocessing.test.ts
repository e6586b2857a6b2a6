import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { type Preparation, preparationWords } from "./preparation.ts";
import { preprocessing, pythonImports } from "./preprocessing.ts";
import { decodeImage, fits } from "./sources/decode.ts";
import { prepareFile } from "./sources/prepared-file.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-preprocessing-"));
const python = process.env.PYTHON ?? "/usr/bin/python3";
const files = ["turned.png", "transparent.png", "grey.png"].map((name) => join(folder, name));

/** Smooth, so that two ways to resize hardly differ; each corner has a colour of its own. */
function gradient(channels: 1 | 3 | 4): Sharp {
  const [width, height] = [40, 20];
  const colourAt = (across: number, down: number) => [255 * across, 255 * down, 255 * (1 - across), 255 * (1 - down)];
  const pixels = Array.from({ length: width * height }, (_, at) =>
    colourAt((at % width) / (width - 1), Math.floor(at / width) / (height - 1)).slice(0, channels),
  );
  return sharp(Uint8Array.from(pixels.flat()), { raw: { width, height, channels } });
}

beforeAll(async () => {
  await gradient(3).withMetadata({ orientation: 6 }).png().toFile(files[0]);
  await gradient(4).png().toFile(files[1]);
  await gradient(1).png().toFile(files[2]);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What the lines of Python make of a file, as bytes. */
function inPython(lines: string): number[] {
  const script = join(folder, "preprocess.py");
  writeFileSync(script, `${pythonImports}\n${lines}\nprint(images.dtype, images.shape, *images.ravel())\n`);
  const { stdout, stderr, status } = spawnSync(python, [script], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const [type, ...numbers] = stdout
    .replace(/\(.*\)/, "")
    .split(/\s+/)
    .filter(Boolean);
  expect(type).toBe("float32");
  return numbers.map((number) => 255 * Number(number));
}

function skipWithoutPillow(context: TestContext): void {
  if (spawnSync(python, ["-c", "import numpy, PIL"]).status === 0) return;
  console.warn(`not compared with Pillow: ${python} has no numpy or no PIL (install them, or set PYTHON)`);
  context.skip();
}

test("the Python that we show makes of files what training sees", async (context) => {
  skipWithoutPillow(context);
  for (const channels of [1, 3])
    for (const fit of fits)
      for (const file of files) {
        // No way to fit these sizes leaves half a pixel, which one program would round and the other would not.
        const image = { channels, height: 12, width: 8 };
        const outcome = await decodeImage(file, { image, fit });
        const seen = "result" in outcome ? outcome.result : new Uint8Array(0);
        const shown = inPython(preprocessing(image, fit).python(file));
        expect(shown).toHaveLength(seen.length);
        const differences = shown.map((value, at) => Math.abs(value - seen[at]));
        const mean = differences.reduce((a, b) => a + b) / differences.length;
        expect(mean, `${file}, ${fit}, ${channels}`).toBeLessThan(3);
      }
});

test("the Python that we show makes of files what a backbone sees, to the bit", async (context) => {
  skipWithoutPillow(context);
  const crop = { height: 9, width: 7 };
  const preparations: readonly Preparation[] = [
    { resize: { shortestEdge: 12 }, resample: "bicubic", crop },
    { resize: { shortestEdge: 12, longestEdge: 21 }, resample: "bilinear", crop: undefined },
    { resize: { shortestEdge: 12, longestEdge: 30 }, resample: "bilinear", crop: undefined },
    { resize: { height: 13, width: 11 }, resample: "lanczos", crop: undefined },
    { resize: undefined, resample: "bicubic", crop },
  ];
  for (const preparation of preparations)
    for (const file of [files[0], files[2]]) {
      const outcome = await prepareFile(file, preparation);
      const seen = "result" in outcome ? [...outcome.result] : [];
      const shown = inPython(preparationWords(preparation).python(file)).map(Math.round);
      expect(shown, `${file}, ${JSON.stringify(preparation)}`).toEqual(seen);
    }
});

test("the words say which side decides the size", () => {
  const told = (longestEdge: object): string =>
    preparationWords({ resize: { shortestEdge: 12, ...longestEdge }, resample: "bicubic", crop: undefined }).words;
  expect(told({})).toContain("resize the shorter side to 12 (bicubic)");
  expect(told({ longestEdge: 30 })).toContain("the shorter side to 12, or the longer one to 30");
});

test("the words name every step", () => {
  const { words } = preprocessing({ channels: 1, height: 12, width: 10 }, "contain");
  for (const step of ["EXIF", "white", "12x10", "between white bars", "grey", "divide by 255"])
    expect(words).toContain(step);
});
