import { expect, test } from "vitest";
import { type ClicksRecord, clicksFormat } from "./clicks-cell.ts";
import { clicksReport } from "./report.ts";
import { clicksMarkdown, clicksRows } from "./report-files.ts";

function recordOf(facts: Pick<ClicksRecord, "variant" | "seed" | "points"> & { readonly name?: string }): ClicksRecord {
  const { name = "usps", ...rest } = facts;
  return {
    format: clicksFormat,
    dataset: { name, count: 11_000, image: { channels: 1, height: 16, width: 16 }, fingerprint: "digits" },
    k: 10,
    wrong: 0,
    runSettings: {},
    refineSettings: {},
    answers: [],
    versions: { boostcluster: "1.2.3", onnxruntime: "4.5.6", node: "20.0.0", platform: "linux-x64" },
    machine: { cpu: "Abacus", cores: 2, memoryGB: 8 },
    ...rest,
  };
}

const alone = (answers: number, acc: number) => ({
  ...{ answers, given: answers, clusters: 10, seconds: answers, acc, nmi: 0.5 },
});
const point = (answers: number, acc: number) => ({
  ...alone(answers, acc),
  comparisons: { "label propagation": { acc: 0.1, nmi: 0.2 }, "constrained k-means": { acc: 0.3, nmi: 0.4 } },
});

const report = clicksReport([
  recordOf({ name: "flowers", variant: "ask", seed: 0, points: [point(0, 0.5)] }),
  recordOf({ variant: "ask", seed: 0, points: [point(0, 0.5), point(10, 0.7)] }),
  recordOf({ variant: "ask", seed: 1, points: [point(0, 0.5), point(10, 0.8)] }),
  recordOf({ variant: "random", seed: 0, points: [alone(0, 0.5)] }),
]);

test("rows are numbers of answers, columns are variants, over the seeds", () => {
  expect(report.tables.map(({ name }) => name)).toEqual(["usps", "flowers"]);
  const [usps] = report.tables;
  expect(usps.series.map(({ name }) => name)).toEqual(["ask", "random", "label propagation", "constrained k-means"]);
  expect(clicksRows(usps, "acc")).toEqual([
    ["0", "0.500", "0.500", "0.100", "0.300"],
    ["10", "0.750 (0.700–0.800)", "–", "0.100", "0.300"],
  ]);
  expect(clicksRows(usps, "nmi")[0]).toEqual(["0", "0.500", "0.500", "0.200", "0.400"]);
});

test("the report names what made it, the seeds and the figure", () => {
  const text = clicksMarkdown(report);
  for (const words of [
    "boostcluster 1.2.3",
    "## usps: 11000 images, 16x16 grey, 10 classes",
    "Seeds 0, 1.",
    "![ACC by answers](usps.svg)",
    "Learning took 10 s (10 s to 10 s), once the images had been looked at.",
  ])
    expect(text).toContain(words);
});
