import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeNpy } from "./npy.ts";

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
