import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster } from "../../test/command-line.ts";
import { drawScene } from "../../test/scenes.ts";
import { readAssignments } from "../runs/run-folder.ts";

const temporary = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(temporary, { recursive: true }));
const images = join(temporary, "photos");
const cache = ["--cache-folder", join(temporary, "cache")];

/** Five scenes; two files are copies of the first one. */
beforeAll(async () => {
  mkdirSync(images);
  for (let seed = 0; seed < 5; seed++) writeFileSync(join(images, `${seed}.png`), await drawScene(seed));
  copyFileSync(join(images, "0.png"), join(images, "copy.png"));
  await sharp(join(images, "0.png")).resize(200).jpeg().toFile(join(images, "small.jpg"));
});

const cluster = (out: string, ...more: string[]) =>
  boostcluster(["cluster", images, "-k", "2", "--method", "kms", "--size", "16", "--out", out, ...cache, ...more]);

const heading = "stack,file,kind,width,height,sharpness";

test("copies count once, have their picture's cluster, and are listed", () => {
  const out = join(temporary, "run");
  const { status, stdout, stderr } = cluster(out);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("7 images in 2 clusters");
  expect(stdout).toContain("2 files are copies of others, in 1 stack (duplicates.csv)");
  const lines = readFileSync(join(out, "duplicates.csv"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => line.split(",").slice(0, 5).join())).toEqual([
    heading.split(",").slice(0, 5).join(),
    "1,0.png,best,480,360",
    "1,copy.png,exact,480,360",
    "1,small.jpg,near,200,150",
  ]);
  const clusters = new Map(readAssignments(out).map(({ item, ...row }) => [item, row]));
  expect(clusters.size).toBe(7);
  for (const copy of ["copy.png", "small.jpg"]) expect(clusters.get(copy)).toEqual(clusters.get("0.png"));
  const { settings, sizes } = JSON.parse(readFileSync(join(out, "run.json"), "utf8"));
  expect(settings.duplicates).toBe("stack");
  expect(sizes[0] + sizes[1]).toBe(7);
  const page = readFileSync(join(out, "report.html"), "utf8");
  expect(page).toContain("×3");
  expect(page).toContain("Copies");
  expect(page).not.toContain("--duplicates");
});

test("organize puts copies aside, together or nowhere", () => {
  const run = join(temporary, "run");
  const filesOf = (...more: string[]): string[] => {
    const out = mkdtempSync(join(temporary, "sorted-"));
    rmSync(out, { recursive: true });
    expect(boostcluster(["organize", run, "--out", out, ...more]).status).toBe(0);
    return readdirSync(out, { recursive: true, encoding: "utf8" })
      .filter((file) => !lstatSync(join(out, file)).isDirectory())
      .map((file) => file.replaceAll("\\", "/").replace(/^\d+\//, ""))
      .sort();
  };
  const scenes = ["0.png", "1.png", "2.png", "3.png", "4.png"];
  expect(filesOf()).toEqual(["0-stack/copy.png", "0-stack/small.jpg", ...scenes].sort());
  expect(filesOf("--duplicates", "together")).toEqual([...scenes, "copy.png", "small.jpg"]);
  expect(filesOf("--duplicates", "leave-out")).toEqual(scenes);
});

test("with --duplicates keep every file counts", () => {
  const out = join(temporary, "kept");
  expect(cluster(out, "--duplicates", "keep").stdout).not.toContain("copies");
  expect(readdirSync(out)).not.toContain("duplicates.csv");
  expect(readFileSync(join(out, "report.html"), "utf8")).toContain("--duplicates keep");
});

test("more clusters than distinct images are refused", () => {
  const { status, stderr } = cluster(join(temporary, "many"), "-k", "6");
  expect(status).toBe(2);
  expect(stderr).toContain("6 clusters are more than its 5 distinct images, as the other 2 are copies; lower -k");
});

test("duplicates lists them without clustering", () => {
  expect(boostcluster(["duplicates", images, ...cache]).stdout.split("\n")).toEqual([
    heading,
    expect.stringMatching(/^1,0\.png,best,480,360,/),
    expect.stringMatching(/^1,copy\.png,exact,480,360,/),
    expect.stringMatching(/^1,small\.jpg,near,200,150,/),
    "",
  ]);
  const { files } = JSON.parse(boostcluster(["duplicates", images, "--json", ...cache]).stdout);
  expect(files.map(({ file }: { file: string }) => file)).toEqual(["0.png", "copy.png", "small.jpg"]);
});
