/** Which cluster each item is in, as CSV or JSON lines. */

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

const columns = ["item", "cluster", "score", "secondCluster", "margin"] as const;

/** Lines of CSV with a heading, quoted as in RFC 4180. */
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
  return columnsOf(options)
    .map((name) => csvField(short[name]))
    .join(",");
}

export const jsonLine = (row: AssignmentRow): string => JSON.stringify(withShortNumbers(row));

const columnsOf = ({ labels = false }: CsvOptions): readonly (keyof AssignmentRow)[] =>
  labels ? [...columns, "label"] : columns;

function csvField(value: string | number | undefined): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

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
