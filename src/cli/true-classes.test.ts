import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { boostcluster } from "../../test/command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-classes-"));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("images without sub-folders have no labels by folder: it is their folder that is named, not the run's", async () => {
  const images = join(folder, "photos");
  mkdirSync(images);
  for (const grey of [0, 80, 160, 240]) {
    const background = { r: grey, g: grey, b: grey };
    await sharp({ create: { width: 8, height: 8, channels: 3, background } }).toFile(join(images, `${grey}.png`));
  }
  const run = join(folder, "run");
  const cache = ["--cache-folder", join(folder, "cache")];
  boostcluster(["cluster", images, "-k", "2", "--method", "kms", "--no-report", "--out", run, ...cache]);
  const problem = `boostcluster: ${images}: 0.png is in no sub-folder and so has no label; move it into one\n`;
  for (const args of [
    ["evaluate", run, "--labels", "folders"],
    ["report", run, "--labels", "folders", ...cache],
  ]) {
    const { status, stderr } = boostcluster(args);
    expect(stderr).toBe(problem);
    expect(status).toBe(2);
  }
});
