import { expect, test } from "vitest";
import { tfjsWeights } from "./tfjs-weights.ts";
import { tfliteWeights } from "./tflite-weights.ts";
import { transposed, weightNamed } from "./weights.ts";

test("axes change places, values stay with their indices", () => {
  const shape = [2, 3, 4, 5];
  const values = Float32Array.from({ length: 120 }, (_, at) => at);
  const result = transposed({ shape, values }, [3, 2, 0, 1]);
  expect(result.shape).toEqual([5, 4, 2, 3]);
  for (const [h, w, i, o] of [
    [0, 0, 0, 0],
    [1, 2, 3, 4],
    [0, 2, 1, 3],
  ])
    expect(result.values[((o * 4 + i) * 2 + h) * 3 + w]).toBe(((h * 3 + w) * 4 + i) * 5 + o);
});

test("weights of TensorFlow.js may go over the end of a file", () => {
  const weights = [
    { name: "axes", shape: [2], dtype: "int32" },
    { name: "a", shape: [], dtype: "float32" },
    { name: "b", shape: [2, 2], dtype: "float32" },
  ];
  const model = { weightsManifest: [{ paths: ["one.bin", "two.bin"], weights }] };
  const bytes = new Uint8Array(Float32Array.of(0, 0, 7, 1, 2, 3, 4).buffer);
  const files = new Map([
    ["m/model.json", new TextEncoder().encode(JSON.stringify(model))],
    ["m/one.bin", bytes.subarray(0, 18)],
    ["m/two.bin", bytes.subarray(18)],
  ]);
  const found = tfjsWeights(files, "m");
  expect([...found.keys()]).toEqual(["a", "b"]);
  expect(weightNamed(found, "a")).toEqual({ shape: [], values: Float32Array.of(7) });
  expect(weightNamed(found, "b")).toEqual({ shape: [2, 2], values: Float32Array.of(1, 2, 3, 4) });
  expect(() => weightNamed(found, "c")).toThrow('no weights "c"');
  files.delete("m/two.bin");
  expect(() => tfjsWeights(files, "m")).toThrow("m: two.bin is missing");
});

/** A part of a FlatBuffer: bytes, numbers of 32 bits, references to several parts, or a table with its fields. */
type Part =
  | { readonly bytes: Uint8Array }
  | { readonly integers: readonly number[] }
  | { readonly parts: readonly Part[] }
  | { readonly fields: readonly (Part | number | undefined)[] };

/** Each part after the one that refers to it, as the format demands; returns where it begins. */
function write(part: Part, out: number[]): number {
  const word = (value: number): number[] => [...new Uint8Array(Int32Array.of(value).buffer)];
  const put = (at: number, value: number): void => void out.splice(at, 4, ...word(value));
  while (out.length % 4 !== 0) out.push(0);
  if ("fields" in part) {
    const vtable = out.length;
    const { fields } = part;
    const offsets = fields.map((field, index) => (field === undefined ? 0 : 4 + 4 * index));
    out.push(...new Uint8Array(Uint16Array.of(4 + 2 * fields.length, 4 + 4 * fields.length, ...offsets).buffer));
    while (out.length % 4 !== 0) out.push(0);
    const start = out.length;
    out.push(...word(start - vtable), ...fields.flatMap((field) => word(typeof field === "number" ? field : 0)));
    fields.forEach((field, index) => {
      const place = start + 4 + 4 * index;
      if (typeof field === "object") put(place, write(field, out) - place);
    });
    return start;
  }
  const start = out.length;
  if ("bytes" in part) out.push(...word(part.bytes.length), ...part.bytes);
  else if ("integers" in part) out.push(...word(part.integers.length), ...part.integers.flatMap(word));
  else {
    out.push(...word(part.parts.length), ...part.parts.flatMap(() => word(0)));
    part.parts.forEach((one, index) => {
      const place = start + 4 + 4 * index;
      put(place, write(one, out) - place);
    });
  }
  return start;
}

test("weights of TensorFlow Lite are found by name; what is computed or no float is left out", () => {
  const text = (value: string): Part => ({ bytes: new TextEncoder().encode(value) });
  const data = (...values: number[]): Part => ({
    fields: [{ bytes: new Uint8Array(Float32Array.from(values).buffer) }],
  });
  const tensors: Part[] = [
    { fields: [{ integers: [2, 2] }, undefined, 2, text("kernel")] },
    { fields: [{ integers: [1, 8] }, undefined, undefined, text("computed")] },
    { fields: [{ integers: [1] }, 2, 1, text("shape")] },
  ];
  const subgraphs = { parts: [{ fields: [{ parts: tensors }] }] };
  const buffers = { parts: [{ fields: [] }, data(9), data(1, -2, 3, 0.5)] };
  const out = [0, 0, 0, 0, ...new TextEncoder().encode("TFL3")];
  const root = write({ fields: [3, undefined, subgraphs, undefined, buffers] }, out);
  out.splice(0, 4, ...new Uint8Array(Int32Array.of(root).buffer));
  expect([...tfliteWeights(Uint8Array.from(out))]).toEqual([
    ["kernel", { shape: [2, 2], values: Float32Array.of(1, -2, 3, 0.5) }],
  ]);
  expect(() => tfliteWeights(new Uint8Array(100))).toThrow("no TensorFlow Lite model");
});
