/** A dataset's table as text: the same words on a terminal and in Markdown. */
import { formatImageSize } from "../images/image.ts";
import { formatSeconds } from "../numeric/format.ts";
import { contenders } from "./contenders.ts";
import type { DatasetTable, MethodRow, Statistic } from "./tables.ts";

export interface TableText {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The meanings of the marks, and caveats of the comparison. */
  readonly notes: readonly string[];
}

const reducedMark = "†";
const mixedMark = "‡";
const nothing = "–";

export function tableText({ name, count, image, k, rows }: DatasetTable): TableText {
  return {
    title: `${name}: ${count} images, ${formatImageSize(image)}, ${k} classes`,
    columns: ["method", "ACC", "ACC, paper", "NMI", "NMI, paper", "seeds", "time"],
    rows: rows.map(rowText),
    notes: [...reducedNote(rows), ...mixedNote(rows), ...paperNotes(rows)],
  };
}

/** Aligned columns, numbers to the right. */
export function terminalTable({ title, columns, rows, notes }: TableText): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const aligned = lines.map((line) =>
    line
      .map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column])))
      .join("  ")
      .trimEnd(),
  );
  return [title, ...aligned.map((line) => `  ${line}`), ...notes.map((note) => `  ${note}`)].join("\n");
}

function rowText(row: MethodRow): string[] {
  const { acc, nmi, paper, seeds, seconds } = row;
  return [
    titleOf(row) + marks(row),
    statisticText(acc),
    numberText(paper.acc),
    statisticText(nmi),
    numberText(paper.nmi),
    String(seeds.length),
    seconds < 1 ? "< 1 s" : formatSeconds(seconds),
  ];
}

const marks = ({ reduced, mixed }: MethodRow): string =>
  [reduced.length > 0 ? ` ${reducedMark}` : "", mixed ? ` ${mixedMark}` : ""].join("");

function titleOf({ method }: MethodRow): string {
  return contenders[method]?.title ?? method;
}

const statisticText = ({ mean, sd }: Statistic): string =>
  sd === undefined ? numberText(mean) : `${numberText(mean)} ± ${numberText(sd)}`;

const numberText = (value: number | undefined): string => (value === undefined ? nothing : value.toFixed(3));

function reducedNote(rows: readonly MethodRow[]): string[] {
  const texts = rows
    .filter(({ reduced }) => reduced.length > 0)
    .map((row) => `${titleOf(row)} with ${row.reduced.join(", ")}`);
  return texts.length === 0 ? [] : [`${reducedMark} trained by a reduced schedule: ${texts.join("; ")}.`];
}

function mixedNote(rows: readonly MethodRow[]): string[] {
  return rows.some(({ mixed }) => mixed)
    ? [`${mixedMark} its seeds were run with different settings or images; set force to run them again.`]
    : [];
}

const paperNotes = (rows: readonly MethodRow[]): string[] =>
  rows.flatMap((row) => (row.paper.note === undefined ? [] : [`${titleOf(row)}, paper: ${row.paper.note}.`]));
