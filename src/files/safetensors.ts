/**
 * The safetensors format: the length of the header (8 bytes, little-endian), the header (JSON: type, shape and place of
 * each tensor), and the values, little-endian, without gaps.
 *
 * A file may come from anywhere: everything the header says is checked against the size of the file before memory is
 * taken for it.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { writeChunksAtomically } from "./atomic.ts";
import { DamagedFileError, fileError, InputError } from "./errors.ts";
import { expectShape, isShape, valueCount } from "./numeric-array.ts";

export type TensorValues = Float64Array | BigInt64Array | Float32Array | Int32Array | Uint8Array;

export interface StoredTensor {
  readonly shape: readonly number[];
  readonly values: TensorValues;
}

export interface Safetensors {
  readonly tensors: Map<string, StoredTensor>;
  readonly metadata: Readonly<Record<string, string>>;
}

type Dtype = "F64" | "I64" | "F32" | "I32" | "U8";

interface Layout {
  readonly bytes: number;
  readonly wrap: (buffer: ArrayBuffer) => TensorValues;
}

/** Wide ones first: written in this order, every tensor lies at a multiple of its own width. */
const layouts: ReadonlyMap<string, Layout> = new Map<Dtype, Layout>([
  ["F64", { bytes: 8, wrap: (buffer) => new Float64Array(buffer) }],
  ["I64", { bytes: 8, wrap: (buffer) => new BigInt64Array(buffer) }],
  ["F32", { bytes: 4, wrap: (buffer) => new Float32Array(buffer) }],
  ["I32", { bytes: 4, wrap: (buffer) => new Int32Array(buffer) }],
  ["U8", { bytes: 1, wrap: (buffer) => new Uint8Array(buffer) }],
]);

const lengthBytes = 8;
const alignment = 8;
/** The limit of the format's own library. */
const largestHeader = 100_000_000;
const metadataKey = "__metadata__";

export function writeSafetensors(
  path: string,
  tensors: Readonly<Record<string, StoredTensor>>,
  metadata: Readonly<Record<string, string>> = {},
): void {
  writeChunksAtomically(path, chunksOf(tensors, metadata));
}

export function encodeSafetensors(
  tensors: Readonly<Record<string, StoredTensor>>,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  return Buffer.concat(chunksOf(tensors, metadata));
}

export function readSafetensors(path: string): Safetensors {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    return decode(fileSource(path, fd));
  } catch (error) {
    throw fileError("read", path, error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** `name` is what messages call it. */
export function decodeSafetensors(bytes: Uint8Array, name = "safetensors"): Safetensors {
  return decode({
    name,
    size: bytes.byteLength,
    read: (position, length) => new Uint8Array(bytes.subarray(position, position + length)),
  });
}

function chunksOf(
  tensors: Readonly<Record<string, StoredTensor>>,
  metadata: Readonly<Record<string, string>>,
): Uint8Array[] {
  const order = [...layouts.keys()];
  const placed = Object.entries(tensors)
    .map(([name, tensor]) => ({
      name,
      shape: tensor.shape,
      dtype: dtypeOf(name, tensor),
      bytes: bytesOf(tensor.values),
    }))
    .sort((a, b) => order.indexOf(a.dtype) - order.indexOf(b.dtype));
  let end = 0;
  const entries = placed.map(({ name, dtype, shape, bytes }) => {
    const begin = end;
    end += bytes.byteLength;
    return [name, { dtype, shape, data_offsets: [begin, end] }];
  });
  const header = Object.fromEntries(
    Object.keys(metadata).length === 0 ? entries : [[metadataKey, metadata], ...entries],
  );
  return [headerBytes(JSON.stringify(header)), ...placed.map(({ bytes }) => bytes)];
}

const bytesOf = ({ buffer, byteOffset, byteLength }: TensorValues): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The header and its length, filled up with spaces so that the values begin at a multiple of 8. */
function headerBytes(json: string): Uint8Array {
  const text = Buffer.from(json);
  const length = Math.ceil(text.byteLength / alignment) * alignment;
  const bytes = Buffer.alloc(lengthBytes + length, " ");
  bytes.writeBigUInt64LE(BigInt(length));
  text.copy(bytes, lengthBytes);
  return bytes;
}

/** The type of a tensor that can be written. */
function dtypeOf(name: string, { shape, values }: StoredTensor): Dtype {
  if (name === metadataKey) throw new InputError(`a tensor cannot be called ${metadataKey}; rename it`);
  expectShape(values, shape, `tensor ${JSON.stringify(name)}`);
  if (values instanceof Float64Array) return "F64";
  if (values instanceof BigInt64Array) return "I64";
  if (values instanceof Float32Array) return "F32";
  if (values instanceof Int32Array) return "I32";
  return "U8";
}

/** Bytes that are read piece by piece. */
interface Source {
  readonly name: string;
  readonly size: number;
  /** A copy in a buffer of its own, so that numbers in it are aligned. */
  readonly read: (position: number, length: number) => Uint8Array<ArrayBuffer>;
}

/** Node reads no more than 2 GiB at once. */
const largestRead = 2 ** 30;

function fileSource(name: string, fd: number): Source {
  return {
    name,
    size: fstatSync(fd).size,
    read(position, length) {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const read = readSync(fd, bytes, done, Math.min(length - done, largestRead), position + done);
        if (read === 0) throw new DamagedFileError(`${name}: it became shorter while it was read; read it again`);
        done += read;
      }
      return bytes;
    },
  };
}

function decode(source: Source): Safetensors {
  const { header, dataStart } = readHeader(source);
  const { [metadataKey]: metadata = {}, ...entries } = header;
  expectFormat(isTexts(metadata), source, "its metadata is not made of texts");
  const places = Object.entries(entries).map(([name, entry]) => placeOf(source, name, entry));
  expectNoGaps(source, places, source.size - dataStart);
  const tensors = places.map(({ name, shape, layout, begin, end }): [string, StoredTensor] => [
    name,
    { shape, values: layout.wrap(source.read(dataStart + begin, end - begin).buffer) },
  ]);
  return { tensors: new Map(tensors), metadata };
}

function readHeader(source: Source): { header: Readonly<Record<string, unknown>>; dataStart: number } {
  expectFormat(source.size >= lengthBytes, source, `it has ${source.size} bytes`);
  const length = Number(new DataView(source.read(0, lengthBytes).buffer).getBigUint64(0, true));
  expectFormat(length <= largestHeader, source, `its header would have ${length} bytes`);
  expectFormat(length <= source.size - lengthBytes, source, "it ends within its header");
  const header = parseJson(source.read(lengthBytes, length));
  expectFormat(isRecord(header), source, "its header is not a JSON object");
  return { header, dataStart: lengthBytes + length };
}

/** Undefined where it is not JSON in UTF-8. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

interface Place {
  readonly name: string;
  readonly shape: readonly number[];
  readonly layout: Layout;
  /** Where its bytes are, counted from the end of the header. */
  readonly begin: number;
  readonly end: number;
}

function placeOf(source: Source, name: string, entry: unknown): Place {
  const what = `tensor ${JSON.stringify(name)}`;
  expectFormat(isRecord(entry), source, `${what} is not described`);
  const { dtype, shape, data_offsets: offsets } = entry;
  const layout = typeof dtype === "string" ? layouts.get(dtype) : undefined;
  if (layout === undefined)
    throw new DamagedFileError(
      `${source.name}: ${what} is of type ${JSON.stringify(dtype)}; only ${[...layouts.keys()].join(", ")} can be read`,
    );
  expectFormat(isShape(shape), source, `${what} has no valid shape`);
  expectFormat(isShape(offsets) && offsets.length === 2, source, `${what} has no valid place`);
  const [begin, end] = offsets;
  expectFormat(end - begin === valueCount(shape) * layout.bytes, source, `the place of ${what} does not fit its shape`);
  return { name, shape, layout, begin, end };
}

/** Each tensor begins where another ends, and the last ends with the file. */
function expectNoGaps(source: Source, places: readonly Place[], dataLength: number): void {
  let end = 0;
  for (const place of places.toSorted((a, b) => a.begin - b.begin || a.end - b.end)) {
    expectFormat(place.begin >= end, source, `tensor ${JSON.stringify(place.name)} overlaps another`);
    expectFormat(place.begin === end, source, `there is a gap before tensor ${JSON.stringify(place.name)}`);
    end = place.end;
  }
  expectFormat(end <= dataLength, source, `${end} bytes of values are announced, ${dataLength} are there`);
  expectFormat(end === dataLength, source, `${dataLength - end} bytes follow the last tensor`);
}

function expectFormat(condition: boolean, { name }: Source, what: string): asserts condition {
  if (!condition) throw new DamagedFileError(`${name}: damaged, or not a safetensors file: ${what}`);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every((text) => typeof text === "string");
