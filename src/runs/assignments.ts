/** Which cluster each item is in, as CSV or JSON lines. */
import { csvLine } from "../files/csv.ts";
import type { Dataset } from "../images/dataset.ts";
import type { Fitted } from "./fitted.ts";

export interface AssignmentRow {
  readonly item: string;
  readonly cluster: number;
  /** Of the cluster, a float32. */
  readonly score: number;
  /** The next best one; undefined where there is only one cluster. */
  readonly secondCluster: number | undefined;
  /** By how much the first score is larger than the second, a float32. */
  readonly margin: number;
  /** The true class, where it is known. */
  readonly label?: string | undefined;
}

export interface CsvOptions {
  /** Whether there is a column for labels. Default: false. */
  readonly labels?: boolean;
}

/** Of all images, in order. */
export function* assignmentRows({ assignments, scores, k }: Fitted, dataset: Dataset): Generator<AssignmentRow> {
  for (let image = 0; image < dataset.count; image++)
    yield assignmentRow(
      dataset.itemName(image),
      scores.subarray(image * k, (image + 1) * k),
      assignments[image],
      dataset.labels?.names[dataset.labels.values[image]],
    );
}

/** What to say of one image: its cluster, the next best one, and how far apart they are. */
export function assignmentRow(item: string, scores: Float32Array, cluster: number, label?: string): AssignmentRow {
  let second: number | undefined;
  for (let j = 0; j < scores.length; j++)
    if (j !== cluster && (second === undefined || scores[j] > scores[second])) second = j;
  const margin = scores[cluster] - (second === undefined ? 0 : scores[second]);
  return {
    item,
    cluster,
    score: scores[cluster],
    secondCluster: second,
    margin,
    ...(label === undefined ? {} : { label }),
  };
}

const columns = ["item", "cluster", "score", "secondCluster", "margin"] as const;

/** Lines of CSV with a heading. */
export function* csvLines(rows: Iterable<AssignmentRow>, options: CsvOptions = {}): Generator<string> {
  yield `${csvHeading(options)}\n`;
  for (const row of rows) yield `${csvRow(row, options)}\n`;
}

/** One JSON object a line; what is undefined is left out. */
export function* jsonLines(rows: Iterable<AssignmentRow>): Generator<string> {
  for (const row of rows) yield `${jsonLine(row)}\n`;
}

export const csvHeading = (options: CsvOptions = {}): string => columnsOf(options).join(",");

export function csvRow(row: AssignmentRow, options: CsvOptions = {}): string {
  const short = withShortNumbers(row);
  return csvLine(columnsOf(options).map((name) => short[name]));
}

export const jsonLine = (row: AssignmentRow): string => JSON.stringify(withShortNumbers(row));

const columnsOf = ({ labels = false }: CsvOptions): readonly (keyof AssignmentRow)[] =>
  labels ? [...columns, "label"] : columns;

const withShortNumbers = ({ item, cluster, score, secondCluster, margin, label }: AssignmentRow): AssignmentRow => ({
  item,
  cluster,
  score: shortest(score),
  secondCluster,
  margin: shortest(margin),
  label,
});

/** The number with the fewest digits that is the same float32; nine are always enough, six always survive. */
export function shortest(value: number): number {
  const float = Math.fround(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return short;
  }
  return Number(float.toPrecision(9));
}
