/** The columns of an exported Parquet file, and how each is kept. Any value may be missing, as other writers have it. */
import type { ColumnSource, SchemaElement } from "hyparquet-writer";
import type { CsvOptions } from "../runs/assignments.ts";

export interface ParquetColumns extends Required<CsvOptions> {
  /** Whether there are places on a map. */
  readonly map: boolean;
}

/** Of a column, and of what is inside it: the first element is the column's own. */
interface Column extends Omit<ColumnSource, "name" | "data"> {
  readonly elements: readonly [SchemaElement, ...SchemaElement[]];
}

const optional = { repetition_type: "OPTIONAL" } as const;

const text = (name: string): SchemaElement => ({ name, type: "BYTE_ARRAY", converted_type: "UTF8", ...optional });
const integer = (name: string): Column => ({ elements: [{ name, type: "INT32", ...optional }] });
const boolean = (name: string): Column => ({ elements: [{ name, type: "BOOLEAN", ...optional }] });
const float = (name: string): Column => ({ elements: [{ name, type: "FLOAT", ...optional }] });

const features: Column = {
  elements: [
    { name: "features", converted_type: "LIST", num_children: 1, ...optional },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", type: "FLOAT", ...optional },
  ],
  // No two are the same, and there are many: a dictionary is not worth a try.
  encoding: "PLAIN",
};

const image: Column = {
  elements: [
    { name: "image", num_children: 2, ...optional },
    { name: "bytes", type: "BYTE_ARRAY", ...optional },
    text("path"),
  ],
  // PNG is compressed already.
  encoding: "PLAIN",
  codec: "UNCOMPRESSED",
};

export function parquetSchema({ labels, belonging, decided, map }: ParquetColumns) {
  const columns: readonly Column[] = [
    { elements: [text("item")] },
    integer("cluster"),
    float("score"),
    integer("secondCluster"),
    float("margin"),
    ...(belonging ? [float("belonging"), boolean("none")] : []),
    ...(labels ? [{ elements: [text("label")] } as const] : []),
    ...(decided
      ? [{ elements: [text("name")] } as const, { elements: [text("by")] } as const, integer("modelCluster")]
      : []),
    ...(map ? [float("x"), float("y")] : []),
    features,
    image,
  ];
  return {
    columns: columns.map(({ elements, ...storage }) => ({ name: elements[0].name, ...storage })),
    schema: [{ name: "root", num_children: columns.length }, ...columns.flatMap(({ elements }) => elements)],
  };
}
