import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { boostcluster } from "../../test/command-line.ts";
import { writeNpy } from "../files/npy.ts";
import { Random } from "../numeric/random.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-quality-"));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Grey images of noise, one of them bright. */
function writeImages(file: string, count: number, bright: number): void {
  const random = new Random(0, "noise");
  const pixels = Float32Array.from({ length: count * 64 }, (_, at) =>
    Math.floor(at / 64) === bright ? 1 : 0.1 * random.uniform(),
  );
  writeNpy(file, pixels, [count, 8, 8]);
}

test("a run whose silhouette cannot be had is saved with the other metrics", () => {
  const count = 2100;
  const unseen = new Random(0, "silhouette").permutation(count)[2000];
  const file = join(folder, "one-bright.npy");
  writeImages(file, count, unseen);
  const out = join(folder, "run");
  const args = ["cluster", file, "-k", "2", "--method", "kms", "--restarts", "2", "--no-report", "--out", out];
  const { status, stdout, stderr } = boostcluster(args);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("2100 images in 2 clusters of 1 to 2099");
  const { quality } = JSON.parse(readFileSync(join(out, "run.json"), "utf8"));
  expect(Object.keys(quality)).toEqual(["daviesBouldin", "calinskiHarabasz"]);
});

test("one cluster has no quality, and its run is saved all the same", () => {
  const file = join(folder, "alike.npy");
  writeImages(file, 20, -1);
  const out = join(folder, "one");
  const { status, stderr } = boostcluster(["cluster", file, "-k", "1", "--method", "kms", "--no-report", "--out", out]);
  expect(status, stderr).toBe(0);
  expect(JSON.parse(readFileSync(join(out, "run.json"), "utf8"))).not.toHaveProperty("quality");
});
