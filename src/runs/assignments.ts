/** Which cluster each item is in, as CSV or JSON lines. */
import { csvLine } from "../files/csv.ts";
import type { Dataset } from "../images/dataset.ts";
import type { Fitted } from "./fitted.ts";
import type { Belonging } from "./structure.ts";

export interface AssignmentRow {
  readonly item: string;
  readonly cluster: number;
  /** Of the cluster, a float32. */
  readonly score: number;
  /** The next best one; undefined where there is only one cluster. */
  readonly secondCluster: number | undefined;
  /** By how much the first score is larger than the second, a float32. */
  readonly margin: number;
  /** A float32: 0 for the median image, below 0 for those farther from other images; undefined if not measured. */
  readonly belonging?: number | undefined;
  /** Whether it belongs nowhere; `cluster` is the model's answer all the same. */
  readonly none?: boolean | undefined;
  /** The true class, where it is known. */
  readonly label?: string | undefined;
  /** Where people have decided: what `cluster`, the decided one, is called. It is −1 where the image is put aside. */
  readonly name?: string | undefined;
  /** Where people have decided: who says that the image is in this cluster. */
  readonly by?: "model" | "person" | "learned" | undefined;
  /** Where people have decided: the model's own answer. */
  readonly modelCluster?: number | undefined;
}

export interface CsvOptions {
  /** Whether there is a column for labels. Default: false. */
  readonly labels?: boolean;
  /** Whether there are columns for `belonging` and `none`. Default: false. */
  readonly belonging?: boolean;
  /** Whether there are columns for `name`, `by` and `modelCluster`. Default: false. */
  readonly decided?: boolean;
}

/** Of all images, in order. */
export function* assignmentRows(
  { assignments, scores, k }: Fitted,
  dataset: Dataset,
  belonging?: Belonging,
): Generator<AssignmentRow> {
  for (let image = 0; image < dataset.count; image++) {
    const row = assignmentRow(
      dataset.itemName(image),
      scores.subarray(image * k, (image + 1) * k),
      assignments[image],
      dataset.labels?.names[dataset.labels.values[image]],
    );
    yield belonging === undefined
      ? row
      : { ...row, belonging: belonging.values[image], none: belonging.none[image] === 1 };
  }
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
  const written = {
    ...short,
    cluster: writtenCluster(row),
    ...(row.none === undefined ? {} : { none: Number(row.none) }),
  };
  return csvLine(columnsOf(options).map((name) => written[name]));
}

export const jsonLine = (row: AssignmentRow): string => JSON.stringify(withShortNumbers(row));

const columnsOf = ({
  labels = false,
  belonging = false,
  decided = false,
}: CsvOptions): readonly (keyof AssignmentRow)[] => [
  ...columns,
  ...(belonging ? (["belonging", "none"] as const) : []),
  ...(labels ? (["label"] as const) : []),
  ...(decided ? (["name", "by", "modelCluster"] as const) : []),
];

/** What a table has for an image that is in no cluster. */
export const writtenCluster = ({ cluster }: AssignmentRow): number | undefined => (cluster < 0 ? undefined : cluster);

/** The optional columns that some row has something for. */
export const columnsIn = (rows: readonly AssignmentRow[]): Required<CsvOptions> => ({
  labels: rows.some(({ label }) => label !== undefined),
  belonging: rows.some(({ belonging }) => belonging !== undefined),
  decided: rows.some(({ modelCluster }) => modelCluster !== undefined),
});

/** In the order of the columns. */
const withShortNumbers = (row: AssignmentRow): AssignmentRow => ({
  item: row.item,
  cluster: row.cluster,
  score: shortest(row.score),
  secondCluster: row.secondCluster,
  margin: shortest(row.margin),
  ...(row.belonging === undefined ? {} : { belonging: shortest(row.belonging), none: row.none }),
  label: row.label,
  name: row.name,
  by: row.by,
  modelCluster: row.modelCluster,
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
