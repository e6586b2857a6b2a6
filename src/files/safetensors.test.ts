import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { DamagedFileError, InputError } from "./errors.ts";
import {
  decodeSafetensors,
  encodeSafetensors,
  readSafetensors,
  type StoredTensor,
  writeSafetensors,
} from "./safetensors.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-safetensors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tensors: Record<string, StoredTensor> = {
  bytes: { shape: [3], values: Uint8Array.of(1, 2, 255) },
  floats: { shape: [2, 3], values: Float32Array.of(1.5, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e-45, 3) },
  wide: { shape: [1, 1, 2], values: Float64Array.of(Math.PI, -1e300) },
  "größe 0": { shape: [0, 4], values: new Float32Array(0) },
  whole: { shape: [2], values: Int32Array.of(-1, 2 ** 31 - 1) },
  scalar: { shape: [], values: BigInt64Array.of(-(2n ** 63n)) },
};
const metadata = { format: "test", text: 'with "quotes",\nlines and 漢字' };

/** A file with this header and so many bytes of values. */
function fileOf(header: unknown, dataLength: number): Uint8Array {
  const json = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, Buffer.alloc(dataLength)]);
}

test("what is written is read, as a file and as bytes", () => {
  const path = join(folder, "all.safetensors");
  writeSafetensors(path, tensors, metadata);
  for (const result of [readSafetensors(path), decodeSafetensors(encodeSafetensors(tensors, metadata))]) {
    expect(Object.fromEntries(result.tensors)).toEqual(tensors);
    expect(result.metadata).toEqual(metadata);
  }
  const nothing = decodeSafetensors(encodeSafetensors({}));
  expect([nothing.tensors.size, nothing.metadata]).toEqual([0, {}]);
});

test("views into larger arrays are written alone, and bytes may begin anywhere", () => {
  const values = Float32Array.of(0, 1, 2, 3).subarray(1, 3);
  const bytes = Buffer.concat([Buffer.alloc(3), encodeSafetensors({ part: { shape: [2], values } })]).subarray(3);
  expect(decodeSafetensors(bytes).tensors.get("part")).toEqual({ shape: [2], values: Float32Array.of(1, 2) });
});

test("the layout is that of the format, every tensor aligned", () => {
  const path = join(folder, "layout.safetensors");
  writeSafetensors(path, tensors, metadata);
  const file = readFileSync(path);
  const length = Number(file.readBigUInt64LE(0));
  expect(length % 8).toBe(0);
  const text = file.subarray(8, 8 + length).toString("utf8");
  expect(text.startsWith("{")).toBe(true);
  expect(text).toMatch(/} *$/);
  const { __metadata__: texts, ...entries } = JSON.parse(text);
  expect(texts).toEqual(metadata);
  expect(entries.floats).toMatchObject({ dtype: "F32", shape: [2, 3] });
  const data = file.subarray(8 + length);
  const [begin, end] = entries.floats.data_offsets;
  expect(end - begin).toBe(24);
  expect(data.readFloatLE(begin)).toBe(1.5);
  expect(data.readFloatLE(begin + 20)).toBe(3);
  expect(data.readDoubleLE(entries.wide.data_offsets[0])).toBe(Math.PI);
  expect(data.readBigInt64LE(entries.scalar.data_offsets[0])).toBe(-(2n ** 63n));
  expect(data.readInt32LE(entries.whole.data_offsets[0])).toBe(-1);
  expect(data[entries.bytes.data_offsets[1] - 1]).toBe(255);
  const widths: Record<string, number> = { F64: 8, I64: 8, F32: 4, I32: 4, U8: 1 };
  const places: { dtype: string; data_offsets: [number, number] }[] = Object.values(entries);
  places.sort((a, b) => a.data_offsets[0] - b.data_offsets[0] || a.data_offsets[1] - b.data_offsets[1]);
  let last = 0;
  for (const { dtype, data_offsets } of places) {
    expect(data_offsets[0]).toBe(last);
    expect(data_offsets[0] % widths[dtype]).toBe(0);
    last = data_offsets[1];
  }
  expect(last).toBe(data.length);
});

test("a file cut anywhere, or with something behind it, is refused with its name", () => {
  const path = join(folder, "cut.safetensors");
  writeSafetensors(path, tensors, metadata);
  const whole = readFileSync(path);
  for (let length = whole.length - 1; length >= 0; length -= 5) {
    truncateSync(path, length);
    expect(() => readSafetensors(path)).toThrow(InputError);
    expect(() => readSafetensors(path)).toThrow(`${path}: damaged, or not a safetensors file: `);
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.alloc(2)]));
  expect(() => readSafetensors(path)).toThrow("2 bytes follow the last tensor");
});

const vector = (begin: number, end: number, shape: unknown = [(end - begin) / 4], dtype: unknown = "F32") => ({
  dtype,
  shape,
  data_offsets: [begin, end],
});
const terabyte = 2 ** 40;

test.each<[string, unknown, number, string]>([
  ["no JSON", "{nonsense", 0, "its header is not a JSON object"],
  ["no object", "[1, 2]", 0, "its header is not a JSON object"],
  ["an empty header", "", 0, "its header is not a JSON object"],
  ["numbers as metadata", { __metadata__: { epoch: 3 } }, 0, "its metadata is not made of texts"],
  ["a list as metadata", { __metadata__: ["a"] }, 0, "its metadata is not made of texts"],
  ["an entry that is a number", { a: 3 }, 0, 'tensor "a" is not described'],
  ["an unknown type", { a: vector(0, 4, [2], "F16") }, 4, 'type "F16"; only F64, I64, F32, I32, U8 can be read'],
  ["no type", { a: { shape: [1], data_offsets: [0, 4] } }, 4, 'tensor "a" is of type undefined'],
  ["no shape", { a: vector(0, 4, "one") }, 4, 'tensor "a" has no valid shape'],
  ["a negative shape", { a: vector(0, 4, [-1, -1]) }, 4, 'tensor "a" has no valid shape'],
  ["a broken shape", { a: vector(0, 4, [0.5, 2]) }, 4, 'tensor "a" has no valid shape'],
  ["no place", { a: { dtype: "F32", shape: [1] } }, 4, 'tensor "a" has no valid place'],
  ["half a place", { a: { dtype: "F32", shape: [1], data_offsets: [0] } }, 4, 'tensor "a" has no valid place'],
  ["a negative place", { a: vector(-4, 0) }, 4, 'tensor "a" has no valid place'],
  ["a place backwards", { a: vector(4, 0, [1]) }, 4, 'the place of tensor "a" does not fit its shape'],
  ["a shape too large", { a: vector(0, 4, [2]) }, 4, 'the place of tensor "a" does not fit its shape'],
  ["a shape beyond numbers", { a: vector(0, 4, [2 ** 52, 2 ** 52, 2 ** 52]) }, 4, "does not fit its shape"],
  ["an overlap", { a: vector(0, 8), b: vector(4, 12) }, 12, 'tensor "b" overlaps another'],
  ["the same place twice", { a: vector(0, 8), b: vector(0, 8) }, 8, 'tensor "b" overlaps another'],
  ["a gap", { a: vector(0, 4), b: vector(8, 12) }, 12, 'there is a gap before tensor "b"'],
  ["a gap in front", { a: vector(4, 8) }, 8, 'there is a gap before tensor "a"'],
  ["values beyond the file", { a: vector(0, 8) }, 4, "8 bytes of values are announced, 4 are there"],
  ["terabytes", { a: vector(0, terabyte) }, 4, "1099511627776 bytes of values are announced, 4 are there"],
  ["values nobody describes", {}, 4, "4 bytes follow the last tensor"],
])("%s: refused", (_, header, dataLength, message) => {
  const bytes = fileOf(header, dataLength);
  expect(() => decodeSafetensors(bytes, "some.file")).toThrow(DamagedFileError);
  expect(() => decodeSafetensors(bytes, "some.file")).toThrow(message);
  expect(() => decodeSafetensors(bytes, "some.file")).toThrow(/^some\.file: .*$/);
});

test("a header longer than the file or the limit, or not in UTF-8, is refused", () => {
  const bytes = Buffer.from(fileOf({}, 0));
  bytes.writeBigUInt64LE(3n);
  expect(() => decodeSafetensors(bytes)).toThrow("it ends within its header");
  bytes.writeBigUInt64LE(2n ** 64n - 1n);
  expect(() => decodeSafetensors(bytes)).toThrow("its header would have 18446744073709552000 bytes");
  const noText = Buffer.concat([Buffer.of(4, 0, 0, 0, 0, 0, 0, 0), Buffer.of(0x7b, 0xff, 0xff, 0x7d)]);
  expect(() => decodeSafetensors(noText)).toThrow("its header is not a JSON object");
  expect(() => decodeSafetensors(new Uint8Array(7))).toThrow("it has 7 bytes");
});

test("what cannot be read or written is told in one line", () => {
  const missing = join(folder, "missing.safetensors");
  expect(() => readSafetensors(missing)).toThrow(new InputError(`cannot read ${missing}: it does not exist (ENOENT)`));
  expect(() => readSafetensors(folder)).toThrow(`cannot read ${folder}: it is a folder (EISDIR)`);
  const values = new Float32Array(3);
  expect(() => writeSafetensors(missing, { a: { shape: [2], values } })).toThrow(
    'tensor "a": 3 values do not fill the shape [2]',
  );
  expect(() => writeSafetensors(missing, { __metadata__: { shape: [3], values } })).toThrow("cannot be called");
});
