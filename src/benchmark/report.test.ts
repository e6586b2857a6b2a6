import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeCell } from "../../test/benchmark-fakes.ts";
import { storeCell } from "./cell.ts";
import { benchmarkReport } from "./report.ts";
import { writeReport } from "./report-files.ts";
import { tableText, terminalTable } from "./table-text.ts";
import { statistic } from "./tables.ts";

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "boostcluster-report-"));
});
afterEach(() => rmSync(out, { recursive: true }));

const read = (name: string): string => readFileSync(join(out, name), "utf8");
const flowers = { name: "flowers", count: 60, image: { channels: 3, height: 32, width: 48 }, fingerprint: "petals" };
const reduced = { effort: "quick", fullSchedule: { epochs: 50 } } as const;

test("mean and sample standard deviation agree with values worked out by hand", () => {
  expect(statistic([0.5])).toEqual({ mean: 0.5 });
  // Deviations -2, 0, 2: (4 + 0 + 4) / 2 = 4.
  expect(statistic([3, 5, 7])).toEqual({ mean: 5, sd: 2 });
  // Deviations -1.5, -0.5, 0.5, 1.5: (2.25 + 0.25 + 0.25 + 2.25) / 3 = 5 / 3.
  expect(statistic([1, 2, 3, 4]).sd).toBeCloseTo(Math.sqrt(5 / 3), 12);
});

test("rows are over all seeds, in the paper's order, with the paper's numbers", () => {
  const cells = [
    fakeCell({ seed: 1, acc: 0.9, nmi: 0.7, seconds: 100 }),
    fakeCell({ seed: 0, acc: 0.8, nmi: 0.7, seconds: 50 }),
    fakeCell({ method: "zeta", acc: 0.1 }),
    fakeCell({ method: "dec", acc: 0.2, seconds: 0.2 }),
    fakeCell({ method: "dcn", acc: 0.3, seconds: 4000 }),
    fakeCell({ dataset: flowers, method: "dbc", k: 5 }),
  ];
  const { tables } = benchmarkReport(cells);
  expect(tables.map(({ name }) => name)).toEqual(["mnist", "flowers"]);
  const [mnist, other] = tables.map(tableText);
  expect(mnist.title).toBe("mnist: 70000 images, 28x28 grey, 10 classes");
  expect(mnist.rows.map(([, ...texts]) => texts)).toEqual([
    ["0.300", "0.580", "0.500", "0.630", "1", "1 h 6 min"],
    ["0.200", "0.843", "0.500", "–", "1", "< 1 s"],
    ["0.850 ± 0.071", "0.964", "0.700 ± 0.000", "0.917", "2", "1 min 15 s"],
    ["0.100", "–", "0.500", "–", "1", "1 min 0 s"],
  ]);
  expect(mnist.notes).toEqual([
    expect.stringMatching(/paper: on raw images, as here; on pre-processed ones ACC 0\.93 and NMI 0\.85\.$/),
  ]);
  expect(other.title).toBe("flowers: 60 images, 32x48 colour, 5 classes");
  expect(other.rows[0].slice(1, 5)).toEqual(["0.500", "–", "0.500", "–"]);
});

test("reduced schedules are marked, and full ones take precedence", () => {
  const quick = fakeCell({ ...reduced, settings: { epochs: 10 }, acc: 0.6 });
  const [marked] = benchmarkReport([quick]).tables.map(tableText);
  expect(marked.rows[0][0]).toMatch(/^dbc †$/i);
  expect(marked.notes[0]).toMatch(/^† trained by a reduced schedule: dbc with epochs 10 instead of 50\.$/i);
  const [full] = benchmarkReport([quick, fakeCell({ acc: 0.9 })]).tables.map(tableText);
  expect(full.rows[0].slice(0, 2)).toEqual([expect.stringMatching(/^dbc$/i), "0.900"]);
  expect(full.notes).toEqual([]);
  const [nothingLess] = benchmarkReport([fakeCell({ effort: "quick" })]).tables.map(tableText);
  expect(nothingLess.notes).toEqual([]);
});

test("seeds run with different settings are marked", () => {
  const cells = [fakeCell({ seed: 0 }), fakeCell({ seed: 1, settings: { seed: 1, epochs: 40 } })];
  const [{ rows, notes }] = benchmarkReport(cells).tables.map(tableText);
  expect(rows[0][0]).toMatch(/^dbc ‡$/i);
  expect(notes).toEqual(["‡ its seeds were run with different settings or images; set force to run them again."]);
});

test("Markdown, CSV, JSON and the terminal agree", () => {
  const command = "boostcluster benchmark flowers --labels folders";
  const cells = [
    fakeCell({ dataset: flowers, method: "one", seed: 0, acc: 0.25, nmi: 0.5, seconds: 12, command }),
    fakeCell({ dataset: flowers, method: "one", seed: 1, acc: 0.75, nmi: 0.5, seconds: 14, command }),
    fakeCell({
      dataset: flowers,
      method: "two",
      ...reduced,
      settings: { epochs: 10 },
      acc: 0.125,
      nmi: 0.375,
      seconds: 90,
      command,
    }),
    fakeCell({ method: "kms", acc: 0.5, nmi: 0.5, machine: { cpu: "Soroban", cores: 1, memoryGB: 1 } }),
  ];
  for (const cell of cells) storeCell(out, cell);
  const report = writeReport(out);
  expect(JSON.parse(read("benchmark.json"))).toEqual(report);
  expect(report.commands).toEqual([command]);
  expect(report.tables[1].rows[0]).toMatchObject({
    method: "one",
    acc: { mean: 0.5, sd: Math.sqrt(0.125) },
    seeds: [0, 1],
    seconds: 13,
    paper: {},
  });
  expect(read("benchmark.csv").split("\n")).toEqual([
    "dataset,method,effort,reduced,acc,accSd,accPaper,nmi,nmiSd,nmiPaper,seeds,seconds",
    "mnist,kms,paper,false,0.5,,0.535,0.5,,0.531,0,60",
    `flowers,one,paper,false,0.5,${Math.sqrt(0.125)},,0.5,0,,0 1,13`,
    "flowers,two,quick,true,0.125,,,0.375,,,0,90",
    "",
  ]);
  const markdown = read("benchmark.md");
  expect(markdown).toContain(`# Benchmark\n\n\`\`\`\n${command}\n\`\`\`\n`);
  expect(markdown).toContain("boostcluster 1.2.3 (ONNX Runtime 4.5.6, Node 20.0.0, linux-x64)");
  expect(markdown).toContain("on Abacus, 2 cores, 8 GB and on Soroban, 1 core, 1 GB.");
  expect(markdown).toContain("| one | 0.500 ± 0.354 | – | 0.500 ± 0.000 | – | 2 | 13 s |\n");
  expect(markdown).toContain("| two † | 0.125 | – | 0.375 | – | 1 | 1 min 30 s |\n");
  expect(terminalTable(tableText(report.tables[1]))).toBe(
    `
flowers: 60 images, 32x48 colour, 10 classes
  method            ACC  ACC, paper            NMI  NMI, paper  seeds        time
  one     0.500 ± 0.354           –  0.500 ± 0.000           –      2        13 s
  two †           0.125           –          0.375           –      1  1 min 30 s
  † trained by a reduced schedule: two with epochs 10 instead of 50.`.trimStart(),
  );
});

test("without cells nothing is written", () => {
  expect(writeReport(join(out, "nowhere")).tables).toEqual([]);
});
