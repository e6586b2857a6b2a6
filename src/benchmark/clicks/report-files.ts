/** The report on all cells of a folder, as files beside them: `clicks.json`, `clicks.md`, and a figure of each set. */
import { join } from "node:path";
import { type Curve, curvesFigure } from "../../figures/curves.ts";
import { writeFileAtomically } from "../../files/atomic.ts";
import { writeJson } from "../../files/json.ts";
import { formatImageSize } from "../../images/image.ts";
import { formatSeconds } from "../../numeric/format.ts";
import { madeBy, markdownTable } from "../markdown.ts";
import { readAllClicks } from "./clicks-cell.ts";
import { type ClicksReport, type ClicksTable, clicksReport, type Range } from "./report.ts";

/** Writes the files and returns what they say; writes nothing if there are no cells. */
export function writeClicksReport(out: string): ClicksReport {
  const records = readAllClicks(out);
  const report = clicksReport(records);
  if (records.length === 0) return report;
  writeJson(join(out, "clicks.json"), report);
  writeFileAtomically(join(out, "clicks.md"), clicksMarkdown(report));
  for (const table of report.tables) writeFileAtomically(join(out, figureName(table)), figureOf(table));
  return report;
}

const figureName = ({ name }: ClicksTable): string => `${name}.svg`;

export function clicksMarkdown({ commands, versions, machines, tables }: ClicksReport): string {
  const blocks = [
    "# Corrections that teach: a few answers",
    ...(commands.length === 0 ? [] : [["```", ...commands, "```"].join("\n")]),
    madeBy(versions, machines),
    [
      "ACC and NMI of the clusters after so many answers of a simulated person: the mean over the seeds, and in brackets the",
      "least and the greatest. Images that were answered are where they were put. Label propagation and constrained k-means",
      "have the answers of `ask`, in the same features.",
    ].join("\n"),
    ...tables.flatMap(tableBlocks),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function tableBlocks(table: ClicksTable): string[] {
  const { name, count, image, k, series, seconds } = table;
  const seeds = new Set(series.flatMap(({ points }) => points.flatMap((point) => point.seeds)));
  const took =
    seconds === undefined
      ? []
      : [
          `Learning took ${formatSeconds(seconds.mean)} (${secondsRange(seconds)}), once the images had been looked at.`,
        ];
  return [
    `## ${name}: ${count} images, ${formatImageSize(image)}, ${k} classes`,
    `Seeds ${[...seeds].sort((a, b) => a - b).join(", ")}.`,
    markdownTable(["ACC", ...series.map((one) => one.name)], clicksRows(table, "acc")),
    markdownTable(["NMI", ...series.map((one) => one.name)], clicksRows(table, "nmi")),
    `![ACC by answers](${figureName(table)})`,
    ...took,
  ];
}

/** One row for each number of answers: that number, then what each variant has. */
export function clicksRows({ answers, series }: ClicksTable, quantity: "acc" | "nmi"): string[][] {
  return answers.map((count) => [
    String(count),
    ...series.map(({ points }) => {
      const point = points.find((one) => one.answers === count);
      return point === undefined ? "–" : rangeText(point[quantity]);
    }),
  ]);
}

const rangeText = ({ mean, least, greatest }: Range): string =>
  least === greatest ? mean.toFixed(3) : `${mean.toFixed(3)} (${least.toFixed(3)}–${greatest.toFixed(3)})`;

const secondsRange = ({ least, greatest }: Range): string => `${formatSeconds(least)} to ${formatSeconds(greatest)}`;

/** At equal steps: what few answers do is what matters. */
function figureOf({ name, answers, series }: ClicksTable): string {
  const curves = series.map(
    ({ name: of, points }): Curve => ({
      name: of,
      values: points.map((point) => ({ epoch: answers.indexOf(point.answers), value: point.acc.mean })),
    }),
  );
  return curvesFigure({
    curves,
    quantity: "ACC",
    title: `${name}: what answers teach`,
    steps: { title: "answers", names: answers.map(String) },
  });
}
