/** Parquet files with columns of lists, for tests. */
import { parquetWriteBuffer, type SchemaElement } from "hyparquet-writer";

const optional = { repetition_type: "OPTIONAL" } as const;
const typeOf = (value: unknown) =>
  typeof value === "string" ? ({ type: "BYTE_ARRAY", converted_type: "UTF8" } as const) : ({ type: "DOUBLE" } as const);

/** Lists are columns of lists, as Arrow writes them. */
const schemaOf = (name: string, [first]: readonly unknown[]): SchemaElement[] =>
  Array.isArray(first)
    ? [
        { name, converted_type: "LIST", num_children: 1, ...optional },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        { name: "element", ...typeOf(first[0]), ...optional },
      ]
    : [{ name, ...typeOf(first), ...optional }];

/** Every row in a group of its own. */
export function parquet(columns: Readonly<Record<string, unknown[]>>): Uint8Array {
  const entries = Object.entries(columns);
  const schema = [
    { name: "root", num_children: entries.length },
    ...entries.flatMap(([name, data]) => schemaOf(name, data)),
  ];
  const columnData = entries.map(([name, data]) => ({ name, data }));
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, rowGroupSize: 1 }));
}
