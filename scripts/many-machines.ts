/**
 * What `npm run bench -- --jobs ranks` measured, in tables, and how speed is expected to grow with machines: a model, in
 * a figure. Both go into docs/many-machines.md.
 *
 * npm run --silent bench -- --jobs ranks --json > docs/results/ranks.jsonl
 * npx tsx scripts/many-machines.ts
 */
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { scaleLog } from "d3-scale";
import type { Link, RankRow, StepRow } from "../speed/ranks.ts";
import { groupColours } from "../src/figures/colours.ts";
import { legend } from "../src/figures/legend.ts";
import { type Axis, axisRoom, drawAxes, plotArea } from "../src/figures/plot.ts";
import { element, group, heading, headingHeight, polyline, svgDocument } from "../src/figures/svg.ts";

/** What a message takes before its first byte arrives, and then each byte, in seconds. */
export interface LinkTimes {
  readonly delay: number;
  readonly perByte: number;
}

const isStep = (row: RankRow): row is StepRow => row.kind === "step";

/** From the sums of one float and of many, between two ranks, who exchange them once. */
export function linkTimes(rows: readonly RankRow[], link: Link): LinkTimes {
  const sums = rows.flatMap((row) => (row.kind === "sum" && row.link === link ? [row] : []));
  const [least, most] = [sums[0], sums[sums.length - 1]];
  return {
    delay: least.seconds,
    perByte: (most.seconds - least.seconds) / (4 * (most.floats - least.floats)),
  };
}

/** A ring passes a piece of the vector on 2 (n − 1) times; a tree all of it, up and down, by the logarithm of n. */
export const sumTimes = {
  ring: (machines: number, bytes: number, { delay, perByte }: LinkTimes): number =>
    2 * (machines - 1) * (delay + (bytes / machines) * perByte),
  tree: (machines: number, bytes: number, { delay, perByte }: LinkTimes): number =>
    machines === 1 ? 0 : 2 * Math.ceil(Math.log2(machines)) * (delay + bytes * perByte),
};
export type Algorithm = keyof typeof sumTimes;

/** Images per second of so many machines over those of one; each has a mini-batch of the usual size as its part. */
export function speedUp({ one, floats }: StepRow, machines: number, algorithm: Algorithm, link: LinkTimes): number {
  return (machines * one) / (one + sumTimes[algorithm](machines, 4 * floats, link));
}

const counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const [width, height] = [640, 360];

/** The link that machines are taken to have. */
const assumed: Link = "1 Gbit/s, 1 ms";

/** Steps of one machine, without anything between two. */
const modelled = (rows: readonly RankRow[], job: string): readonly StepRow[] =>
  rows.filter(isStep).filter((row) => row.link === "memory" && row.job === job);

export function manyMachinesFigure(rows: readonly RankRow[], link = assumed): string {
  const times = linkTimes(rows, link);
  const steps = modelled(rows, "fcae");
  const colours = groupColours(steps.length);
  const title = `Expected speed-up of the FCAE step, ${link}`;
  const key = legend(
    [
      ...steps.map(({ network }, index) => ({ name: network, colour: colours[index] })),
      { name: "ring", colour: "currentColor" },
      { name: "tree", colour: "currentColor", dashed: true },
    ],
    { left: 0, top: headingHeight, width, kind: "line" },
  );
  const area = plotArea({ left: 0, top: headingHeight + key.height, width, height });
  const x = scaleLog([1, 512], [area.left, area.left + area.width]).base(2);
  const y = scaleLog([1, 512], [area.top + area.height, area.top]).base(2);
  const axis = (scale: typeof x, name: string): Axis => ({
    scale,
    ticks: [1, 8, 64, 512],
    format: String,
    title: name,
  });
  const curve = (values: (machines: number) => number): string =>
    polyline(counts.map((machines): [number, number] => [x(machines), y(Math.max(1, values(machines)))]));
  const drawn = steps.flatMap((step, index) =>
    (["ring", "tree"] as const).map((algorithm) =>
      element("path", {
        d: curve((machines) => speedUp(step, machines, algorithm, times)),
        stroke: colours[index],
        "stroke-width": 2,
        "stroke-dasharray": algorithm === "tree" ? "5 4" : undefined,
      }),
    ),
  );
  const perfect = element("path", { d: curve((machines) => machines), stroke: "currentColor", "stroke-opacity": 0.3 });
  return svgDocument(
    { width, height: area.top + height + axisRoom.bottom },
    title,
    heading(title),
    key.body,
    drawAxes(axis(x, "machines"), axis(y, "times one machine"), area),
    group({ fill: "none", "stroke-linejoin": "round" }, perfect, ...drawn),
  );
}

/** The part of the page that follows from the numbers. */
export const measuredTables = (rows: readonly RankRow[]): string =>
  [stepTable(rows), sumTable(rows), modelTable(rows)].join("\n\n");

const table = (head: readonly string[], body: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...body]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")
    .replaceAll(" --- ", "---");

const milliseconds = (seconds: number): string => (1000 * seconds).toFixed(seconds < 0.01 ? 2 : 1);

function stepTable(rows: readonly RankRow[]): string {
  const body = rows
    .filter(isStep)
    .map(({ link, job, network, one, two, inMpi }) => [
      ...[job.toUpperCase(), network, link, milliseconds(one), milliseconds(two)],
      ...[`${(one / two).toFixed(2)}x`, `${milliseconds(inMpi)} (${Math.round((100 * inMpi) / two)} %)`],
    ]);
  return table(["step", "network", "between ranks", "one process, ms", "two ranks, ms", "ratio", "in MPI, ms"], body);
}

function sumTable(rows: readonly RankRow[]): string {
  const body = rows.flatMap((row) =>
    row.kind === "sum" ? [[row.floats.toLocaleString("en-US"), row.link, milliseconds(row.seconds)]] : [],
  );
  return table(["sum of floats", "between ranks", "ms"], body);
}

function modelTable(rows: readonly RankRow[]): string {
  const times = linkTimes(rows, assumed);
  const expected = (step: StepRow, machines: number): string =>
    (["ring", "tree"] as const)
      .map((algorithm) => `${speedUp(step, machines, algorithm, times).toFixed(1)}x`)
      .join(", ");
  const body = ["fcae", "dbc"].flatMap((job) =>
    modelled(rows, job).map((step) => [
      ...[job.toUpperCase(), step.network, `${((4 * step.floats) / 1e6).toFixed(2)} MB`],
      ...[8, 64, 512].map((machines) => expected(step, machines)),
    ]),
  );
  return table(["step", "network", "summed", "8 machines: ring, tree", "64", "512"], body);
}

const inRepository = (path: string): URL => new URL(`../${path}`, import.meta.url);

export const storedRows = (): readonly RankRow[] =>
  readFileSync(inRepository("docs/results/ranks.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const marks = ["<!-- scripts/many-machines.ts writes this -->", "<!-- until here -->"] as const;

/** The page with those tables. */
export function withTables(page: string, tables: string): string {
  const [start, end] = [page.indexOf(marks[0]) + marks[0].length, page.indexOf(marks[1])];
  return `${page.slice(0, start)}\n\n${tables}\n\n${page.slice(end)}`;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const rows = storedRows();
  writeFileSync(inRepository("docs/many-machines.svg"), manyMachinesFigure(rows));
  const page = inRepository("docs/many-machines.md");
  writeFileSync(page, withTables(readFileSync(page, "utf8"), measuredTables(rows)));
}
