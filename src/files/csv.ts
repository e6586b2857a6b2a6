/** Tables as CSV, quoted as in RFC 4180. */

export type CsvValue = string | number | boolean | undefined;

/** One line without its end; what is undefined is empty. */
export const csvLine = (values: readonly CsvValue[]): string => values.map(csvField).join(",");

function csvField(value: CsvValue): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
