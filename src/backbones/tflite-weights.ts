/**
 * The weights of a TensorFlow Lite model, which is a FlatBuffer: tables that point to one another. Each table begins
 * with the way back to its vtable, which says how far behind the table's beginning each of its fields is, or 0 where a
 * field is left out. Format: the FlatBuffers internals, and the schema of TensorFlow Lite, version 3.
 */
import { DamagedFileError } from "../files/errors.ts";
import type { Weight, Weights } from "./weights.ts";

/** Numbers of fields in the schema. */
const model = { subgraphs: 2, buffers: 4 } as const;
const subgraph = { tensors: 0 } as const;
const tensor = { shape: 0, type: 1, buffer: 2, name: 3 } as const;
const buffer = { data: 0 } as const;

/** What type says of a tensor of 32-bit floats; it is the default, so that the field is left out. */
const float32 = 0;

export function tfliteWeights(content: Uint8Array): Weights {
  const bytes = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (new TextDecoder().decode(content.subarray(4, 8)) !== "TFL3")
    throw new DamagedFileError("this is no TensorFlow Lite model; fetch the package again");
  const root = new Table(bytes, bytes.getUint32(0, true));
  const buffers = root.tables(model.buffers);
  const [graph] = root.tables(model.subgraphs);
  return new Map(
    graph.tables(subgraph.tensors).flatMap((entry): [string, Weight][] => {
      const data = buffers[entry.number(tensor.buffer, 4)].bytes(buffer.data);
      // What is computed has no data.
      if (data.length === 0 || entry.number(tensor.type, 1) !== float32) return [];
      // A copy, because floats must begin at a multiple of four.
      const values = new Float32Array(data.slice().buffer);
      return [[new TextDecoder().decode(entry.bytes(tensor.name)), { shape: entry.integers(tensor.shape), values }]];
    }),
  );
}

class Table {
  readonly #bytes: DataView;
  readonly #start: number;

  constructor(bytes: DataView, start: number) {
    this.#bytes = bytes;
    this.#start = start;
  }

  /** A field that is left out is 0. */
  number(field: number, width: 1 | 4): number {
    const place = this.#place(field);
    if (place === undefined) return 0;
    return width === 1 ? this.#bytes.getUint8(place) : this.#bytes.getUint32(place, true);
  }

  bytes(field: number): Uint8Array {
    const { start, length } = this.#vector(field);
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }

  integers(field: number): number[] {
    const { start, length } = this.#vector(field);
    return Array.from({ length }, (_, index) => this.#bytes.getInt32(start + 4 * index, true));
  }

  tables(field: number): Table[] {
    const { start, length } = this.#vector(field);
    return Array.from({ length }, (_, index) => new Table(this.#bytes, this.#target(start + 4 * index)));
  }

  #vector(field: number): { start: number; length: number } {
    const place = this.#place(field);
    if (place === undefined) return { start: 0, length: 0 };
    const start = this.#target(place);
    return { start: start + 4, length: this.#bytes.getUint32(start, true) };
  }

  /** Where a reference points to. */
  #target(place: number): number {
    return place + this.#bytes.getUint32(place, true);
  }

  #place(field: number): number | undefined {
    const vtable = this.#start - this.#bytes.getInt32(this.#start, true);
    const entry = 4 + 2 * field;
    const offset = entry < this.#bytes.getUint16(vtable, true) ? this.#bytes.getUint16(vtable + entry, true) : 0;
    return offset === 0 ? undefined : this.#start + offset;
  }
}
