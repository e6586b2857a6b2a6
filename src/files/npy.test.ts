import { spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { InputError } from "./errors.ts";
import { readNpyRows, writeNpy } from "./npy.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-npy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "values.npy");

const shapes: [Float32Array | Int32Array, number[]][] = [
  [Float32Array.of(0, 1, -2.5, 1e-45, 3e38, 5), [2, 3]],
  [Int32Array.of(-(2 ** 31), 2 ** 31 - 1), [2]],
  [Float32Array.of(7), []],
  [new Int32Array(0), [0, 5]],
  [Float32Array.of(1, 2, 3, 4).subarray(1, 3), [2, 1]],
  [Int32Array.of(9), Array.from({ length: 30 }, () => 1)],
];

test.each(shapes)("the header is that of version 1.0, the values follow at a multiple of 64", (values, shape) => {
  writeNpy(path, values, shape);
  const file = readFileSync(path);
  expect(file.subarray(0, 8)).toEqual(Buffer.from("\x93NUMPY\x01\x00", "latin1"));
  const start = 10 + file.readUInt16LE(8);
  expect(start % 64).toBe(0);
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const descr = values instanceof Float32Array ? "<f4" : "<i4";
  const header = file.subarray(10, start).toString("latin1");
  expect(header.trimEnd()).toBe(`{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }`);
  expect(header.endsWith("\n")).toBe(true);
  expect(file.subarray(start)).toEqual(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
});

test("NumPy reads it", () => {
  const python = (script: string) => spawnSync("/usr/bin/python3", ["-c", script, path], { encoding: "utf8" });
  if (python("import numpy").status !== 0) return console.log("skipped: /usr/bin/python3 has no numpy");
  for (const [values, shape] of shapes) {
    writeNpy(path, values, shape);
    const { stdout, stderr } = python(
      "import numpy, json, sys; a = numpy.load(sys.argv[1]); print(json.dumps([a.dtype.name, a.shape, a.ravel().tolist()]))",
    );
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([values instanceof Float32Array ? "float32" : "int32", shape, [...values]]);
  }
});

test("values that do not fill the shape are refused", () => {
  expect(() => writeNpy(path, new Float32Array(5), [2, 3])).toThrow(`${path}: 5 values do not fill the shape [2, 3]`);
});

test("rows are read back, in any order", () => {
  writeNpy(
    path,
    Float32Array.from({ length: 12 }, (_, index) => index / 3),
    [4, 3],
  );
  expect(readNpyRows(path, [2, 0])).toEqual(Float32Array.of(2, 7 / 3, 8 / 3, 0, 1 / 3, 2 / 3));
  expect(readNpyRows(path, [])).toHaveLength(0);
});

test("what is no matrix of float32, or is cut off, is refused in one line", () => {
  writeNpy(path, Float32Array.of(1, 2, 3, 4), [2, 2]);
  expect(() => readNpyRows(path, [2])).toThrow(/has 2 rows; there is no row 2/);
  truncateSync(path, lstatSync(path).size - 1);
  expect(() => readNpyRows(path, [1])).toThrow(/the header promises 16 bytes of values/);
  writeFileSync(path, "a text");
  expect(() => readNpyRows(path, [0])).toThrow(InputError);
  writeNpy(path, Int32Array.of(1, 2), [2]);
  expect(() => readNpyRows(path, [0])).toThrow(/holds no matrix of float32/);
  expect(() => readNpyRows(join(folder, "nothing.npy"), [0])).toThrow(InputError);
});
