import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeCell } from "../../test/benchmark-fakes.ts";
import { boostcluster } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { storeCell } from "../benchmark/cell.ts";
import { methodNames } from "../methods/methods.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-cli-benchmark-"));
const images = join(folder, "shapes");
const out = join(folder, "out");
const cache = ["--cache-folder", join(folder, "cache")];

beforeAll(() => writeShapeFolder(images, 8));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("methods tells of each what it is, whose it is and when to take it", () => {
  const described = JSON.parse(boostcluster(["methods", "--json"]).stdout);
  expect(described.map(({ name }: { name: string }) => name)).toEqual(methodNames);
  const { stdout } = boostcluster(["methods"]);
  for (const { name, title, summary, goodFor, reference } of described)
    for (const text of [`${name} (${title}): `, summary, goodFor, reference]) expect(stdout).toContain(text);
});

test("benchmark --list tells what is done and what is to do, and runs nothing", () => {
  storeCell(out, fakeCell({ method: "dbc", seconds: 400 }));
  mkdirSync(join(out, "cells", "mnist.fcae-kms.paper.seed0.partial"));
  const args = ["benchmark", "mnist", "--methods", "dbc,fcae-kms", "--list", "--out", out];
  const { stdout, stderr, status } = boostcluster(args);
  expect(status, stderr).toBe(0);
  expect(stdout.trimEnd().split("\n")).toEqual([
    "mnist.dbc.paper.seed0       done",
    "mnist.fcae-kms.paper.seed0  begun",
    "mnist.fcae-kms.paper.seed1  perhaps",
    "mnist.fcae-kms.paper.seed2  perhaps",
    "perhaps: where seed 0 takes less than five minutes",
  ]);
  const listed = JSON.parse(boostcluster([...args, "--seeds", "2", "--json"]).stdout);
  expect(listed[2]).toEqual({ dataset: "mnist", method: "dbc", effort: "paper", seed: 1, state: "to do" });
});

test.each<[string, number[]]>([
  ["2", [0, 1]],
  ["4-4", [4]],
  ["3-5", [3, 4, 5]],
  ["0,7", [0, 7]],
])("--seeds %s names seeds", (text, seeds) => {
  const args = ["benchmark", "mnist", "--methods", "dbc", "--list", "--json", "--out", join(folder, "none")];
  const listed: { readonly seed: number }[] = JSON.parse(boostcluster([...args, "--seeds", text]).stdout);
  expect(listed.map(({ seed }) => seed)).toEqual(seeds);
});

test("what can be run is shown in spite of what cannot", () => {
  const args = ["benchmark", join(folder, "nowhere"), images, ...cache, "--out", out, "--methods", "dbc", "--quiet"];
  const { stdout, stderr, status } = boostcluster(args);
  expect(status).toBe(2);
  expect(stderr.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^boostcluster: .*nowhere: there is no such file or folder/),
    expect.stringMatching(/^shapes: this needs the true classes, .*"folders".* \(--labels\)$/),
  ]);
  expect(stdout).toContain("mnist: 70000 images, 28x28 grey, 10 classes");
  expect(stdout).toContain(`results: ${out} (benchmark.md, benchmark.csv, benchmark.json)`);
});

test.each<[string, string[], RegExp]>([
  ["an unknown method", ["--methods", "dbc,magic"], /there is no method "magic"; there are: .*dbc/],
  ["no seed", ["--seeds", "0"], /--seeds takes how many \(3\) or which \(4-6 or 0,4,7\), not "0"/],
  ["seeds backwards", ["--seeds", "6-4"], /--seeds takes how many \(3\) or which \(4-6 or 0,4,7\), not "6-4"/],
  [
    "seeds that are no numbers",
    ["--seeds", "1,x"],
    /--seeds takes how many \(3\) or which \(4-6 or 0,4,7\), not "1,x"/,
  ],
  ["an unknown effort", ["--effort", "none"], /--effort takes quick \| paper, not "none"/],
  ["clicks of methods", ["--clicks", "--methods", "dbc"], /--clicks takes no --methods/],
  ["answers to nobody", ["--answers", "0,10"], /--answers goes with --clicks/],
  ["answers out of order", ["--clicks", "--answers", "10,0"], /whole numbers in ascending order, not "10,0"/],
  ["clicks on images without labels", ["--clicks", images, ...cache], /shapes: this needs the true classes/],
  ["images without labels", [images, ...cache], /shapes: this needs the true classes/],
])("%s: one line, exit code 2, nothing written", (_, args, message) => {
  const nothing = join(folder, "nothing");
  const { status, stdout, stderr } = boostcluster(["benchmark", ...args, "--quiet", "--out", nothing]);
  expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(/^boostcluster: /)]);
  expect(stderr).toMatch(message);
  expect(stdout).toBe("");
  expect(status).toBe(2);
  expect(existsSync(nothing)).toBe(false);
});

test("a file is no folder to write to", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(boostcluster(["benchmark", "--out", file]).stderr).toContain("this is a file; choose a folder with --out");
});
