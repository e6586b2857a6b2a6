import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster, startBoostcluster } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { Random } from "../numeric/random.ts";
import { lastCheckpoint } from "../runs/run-checkpoints.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-k-"));
const [shapes, noise] = [join(folder, "shapes"), join(folder, "noise")];
// Of the smallest size, which takes half the time.
const common = ["--pretrain-epochs", "2", "--size", "8", "--cache-folder", join(folder, "cache"), "--quiet"];

beforeAll(async () => {
  await writeShapeFolder(shapes, 120);
  mkdirSync(noise);
  // A draw without a clear number: a few others have one by chance (docs/experiments.md).
  const random = new Random(1, "noise");
  const raw = { width: 12, height: 12, channels: 1 as const };
  for (let image = 0; image < 80; image++) {
    const pixels = Uint8Array.from({ length: 144 }, () => random.integer(256));
    await sharp(pixels, { raw })
      .png()
      .toFile(join(noise, `${image}.png`));
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const auto = ["cluster", shapes, "-k", "auto", "--auto-encoders", "1", "--epochs", "2", "--no-report"];
const whole = join(folder, "whole");

test("k tells how many and draws why; cluster -k auto takes as many", () => {
  const curve = join(folder, "curve.svg");
  const told = boostcluster(["k", shapes, ...common, "--json", "--out", curve]);
  expect(told.status, told.stderr).toBe(0);
  const { k, evidence } = JSON.parse(told.stdout);
  expect(evidence.map((entry: { k: number }) => entry.k)).toContain(k);
  expect(readFileSync(curve, "utf8")).toContain("</svg>");

  const { status, stderr } = boostcluster([...auto, ...common, "--out", whole]);
  expect(status, stderr).toBe(0);
  const record = JSON.parse(readFileSync(join(whole, "run.json"), "utf8"));
  expect(record.k).toBe(k);
  expect(record.evidence).toEqual(evidence);
});

test("a killed run with -k auto goes on with the number that it found, to the very same model", async () => {
  const killed = join(folder, "killed");
  const child = startBoostcluster([...auto, ...common, "--out", killed]);
  const watch = setInterval(() => existsSync(join(killed, "checkpoint.safetensors")) && child.kill("SIGKILL"), 2);
  const [, signal] = await once(child, "exit");
  clearInterval(watch);
  expect(signal).toBe("SIGKILL");
  const before = Number(lastCheckpoint(killed)?.notes.seconds);

  const loud = common.filter((option) => option !== "--quiet");
  const { status, stderr } = boostcluster([...auto, ...loud, "--resume", "--out", killed]);
  expect(status, stderr).toBe(0);
  expect(stderr).toContain("clusters, by estimate");
  expect(stderr).not.toContain("stage I, auto-encoder");
  const record = (run: string) => JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
  expect(record(killed).evidence).toEqual(record(whole).evidence);
  expect(record(killed).seconds.clustering).toBeGreaterThan(before);
  for (const file of ["model.onnx", "assignments.csv"])
    expect(readFileSync(join(killed, file)).equals(readFileSync(join(whole, file))), file).toBe(true);
});

test("where there is no clear number, k says so, and cluster -k auto asks for one", () => {
  const told = boostcluster(["k", noise, ...common]);
  expect(told.status, told.stderr).toBe(0);
  expect(told.stdout).toContain("no clear number of clusters; the likeliest are");
  const out = join(folder, "none");
  const { status, stderr } = boostcluster(["cluster", noise, "-k", "auto", ...common, "--out", out]);
  expect(status).toBe(2);
  expect(stderr.trim()).toMatch(/^boostcluster: .*noise: no clear number of clusters; .*; give one with -k[^\n]*$/);
  expect(existsSync(out)).toBe(false);
});
