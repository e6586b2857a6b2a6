/** Tables as CSV, quoted as in RFC 4180: written line by line, and read. */

export type CsvValue = string | number | boolean | undefined;

/** One line without its end; what is undefined is empty. */
export const csvLine = (values: readonly CsvValue[]): string => values.map(csvField).join(",");

function csvField(value: CsvValue): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A field, quoted or not, and what ends it. */
const fieldPattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|\r|$)/y;

/** The fields of each line; empty lines are left out. Throws where quotes are not closed or stand within a field. */
export function* csvRows(text: string): Generator<string[]> {
  let row: string[] = [];
  for (let at = 0, line = 1; at < text.length; ) {
    fieldPattern.lastIndex = at;
    const found = fieldPattern.exec(text);
    if (found === null) throw new Error(`line ${line} has a quote that is not closed, or not where a field begins`);
    const [matched, quoted, plain, end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += matched.length;
    if (end === "," && at < text.length) continue;
    if (end === ",") row.push("");
    if (row.length > 1 || row[0] !== "") yield row;
    row = [];
    line++;
  }
}
