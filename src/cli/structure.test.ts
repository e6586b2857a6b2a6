/** Images that belong nowhere, and levels, as the command line has them. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-structure-"));
const images = join(folder, "shapes");
const run = join(folder, "run");
const cluster = ["cluster", images, "-k", "4", "--method", "kms", "--no-report"];
const cache = ["--cache-folder", join(folder, "cache")];

beforeAll(async () => {
  await writeShapeFolder(images, 120);
  const board = Uint8Array.from({ length: 144 }, (_, pixel) => 255 * (((pixel % 12) + Math.floor(pixel / 12)) % 2));
  await sharp(board, { raw: { width: 12, height: 12, channels: 1 } })
    .png()
    .toFile(join(images, "board.png"));
  const { status, stdout, stderr } = boostcluster([...cluster, ...cache, "--out", run]);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("1 of them belong nowhere");
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The files of each folder that `organize` made. */
function organized(out: string, words: readonly string[]): Readonly<Record<string, number>> {
  const { status, stderr } = boostcluster(["organize", run, "--out", out, ...words]);
  expect(status, stderr).toBe(0);
  return Object.fromEntries(readdirSync(out).map((name) => [name, readdirSync(join(out, name)).length]));
}

const total = (sizes: Readonly<Record<string, number>>): number => Object.values(sizes).reduce((a, b) => a + b);

test("organize puts what belongs nowhere into a folder of its own, at every level", () => {
  const clusters = organized(join(folder, "clusters"), []);
  expect(Object.keys(clusters)).toEqual(["0", "1", "2", "3", "none"]);
  expect(readdirSync(join(folder, "clusters", "none"))).toEqual(["board.png"]);
  expect(organized(join(folder, "same"), ["--level", "4"])).toEqual(clusters);
  const finer = organized(join(folder, "finer"), ["--level", "7"]);
  expect(Object.keys(finer).filter((name) => /^[0-3](\.\d+)?$/.test(name))).toHaveLength(7);
  const coarser = organized(join(folder, "coarser"), ["--level", "2"]);
  expect(Object.keys(coarser).some((name) => /^\d\+\d/.test(name))).toBe(true);
  for (const sizes of [clusters, finer, coarser]) expect(total(sizes)).toBe(121);
});

test("a level that the tree does not have: one line, and nothing is made", () => {
  const out = join(folder, "wrong");
  const { status, stderr } = boostcluster(["organize", run, "--level", "900", "--out", out]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^boostcluster: level must be a whole number from 1 to \d+, not 900.*\n$/);
  expect(existsSync(out)).toBe(false);
});

test("--none off leaves no column; what is no share is refused before anything is read", () => {
  const off = join(folder, "off");
  expect(boostcluster([...cluster, ...cache, "--none", "off", "--out", off]).status).toBe(0);
  expect(readFileSync(join(off, "assignments.csv"), "utf8").split("\n")[0]).not.toContain("none");
  const { status, stderr } = boostcluster([...cluster, "--none", "many", "--out", join(folder, "many")]);
  expect(status).toBe(2);
  expect(stderr).toContain('--none takes off, auto, or a share from 0 to less than 1 such as 0.05, not "many"');
});
