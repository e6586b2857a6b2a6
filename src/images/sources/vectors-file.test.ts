import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { npy } from "../../../test/array-files.ts";
import { parquet } from "../../../test/parquet-file.ts";
import { InputError } from "../../files/errors.ts";
import { formatImageSize } from "../image.ts";
import { openDataset } from "./open.ts";
import { openVectors, type VectorsOptions } from "./vectors-file.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-vectors-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** All of them can be written in half precision. */
const values = Float32Array.of(-1.5, 0, 1024, 0.25, -0.125, 3);
const rows = [
  [-1.5, 0, 1024],
  [0.25, -0.125, 3],
];
const bits = new Uint8Array(Uint16Array.of(0xbe00, 0, 0x6400, 0x3400, 0xb000, 0x4200).buffer);
const matrix = npy("<f4", [2, 3], values);

function written(name: string, content: Uint8Array | string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function read(file: string, options: VectorsOptions = {}): Promise<number[]> {
  const dataset = await openVectors(file, options);
  const numbers = new Float32Array(dataset.count * dataset.image.channels);
  dataset.read(
    Array.from({ length: dataset.count }, (_, index) => index),
    numbers,
  );
  dataset.close();
  return [...numbers];
}

test("the same numbers are the same dataset in every format, and are not scaled", async () => {
  const files = [
    written("single.npy", matrix),
    written("double.npy", npy("<f8", [2, 3], Float64Array.from(values))),
    written("half.npy", npy("<f2", [2, 3], bits)),
    written("places.npy", npy("<f4", [2, 3, 1, 1], values)),
    written("last.npy", npy("<f4", [2, 1, 1, 3], values)),
    written("fortran.npy", npy("<f4", [2, 3], Float32Array.of(-1.5, 0.25, 0, -0.125, 1024, 3), { fortran: true })),
    written("named.npz", zipSync({ "features.npy": matrix, "other.npy": matrix })),
    written("only.npz", zipSync({ "whatever.npy": matrix, "means.npy": npy("<f4", [6], values) })),
    written("lists.parquet", parquet({ features: rows })),
    written("plain.csv", rows.map((row) => row.join(",")).join("\n")),
    written("pandas.csv", `,0,1,2\n${rows.map((row, index) => [index, ...row].join(",")).join("\n")}\n`),
    written("counted.csv", `0,1,2\n${rows.map((row) => row.join(",")).join("\n")}\n`),
    written("headed.csv", `a,b,c\r\n${rows.map((row) => row.join(",")).join("\r\n")}\r\n`),
  ];
  const fingerprints = new Set<string>();
  for (const file of files) {
    expect(await read(file), file).toEqual([...values]);
    expect(await read(file, { memoryLimit: 0 }), file).toEqual([...values]);
    const dataset = await openVectors(file);
    expect(dataset).toMatchObject({ count: 2, image: { channels: 3, height: 1, width: 1 }, labels: undefined });
    expect(formatImageSize(dataset.image)).toBe("vectors of 3 numbers");
    expect(dataset.itemName(1)).toBe("1");
    fingerprints.add(dataset.fingerprint);
  }
  expect(fingerprints.size).toBe(1);
});

test("whole numbers of any type are read as they are", async () => {
  expect(await read(written("bytes.npy", npy("|u1", [2, 2], Uint8Array.of(0, 7, 255, 1))))).toEqual([0, 7, 255, 1]);
  const long = npy("<i8", [2, 1], BigInt64Array.of(-5n, 70000n));
  expect(await read(written("long.npy", long))).toEqual([-5, 70000]);
});

test("vectors are read in any order, from a file that is not in memory", async () => {
  const many = Float64Array.from({ length: 3 * 50_000 }, (_, at) => at / 2);
  const dataset = await openVectors(written("many.npy", npy("<f8", [50_000, 3], many)), { memoryLimit: 0 });
  const numbers = new Float32Array(6);
  dataset.read([49_999, 3], numbers);
  dataset.close();
  expect([...numbers]).toEqual([74998.5, 74999, 74999.5, 4.5, 5, 5.5]);
});

test("tables have names and classes, which are not numbers of the vectors", async () => {
  const items = ["a, b.png", "c.png"];
  const files = [
    written("classes.parquet", parquet({ item: items, label: ["x", "y"], embedding: rows, x: [1, 2] })),
    written("classes.csv", `file,label,u,v,w\n"a, b.png",x,-1.5,0,1024\nc.png,y,0.25,-0.125,3\n`),
  ];
  for (const file of files) {
    const dataset = await openVectors(file);
    expect(dataset.image.channels).toBe(3);
    expect([0, 1].map((index) => dataset.itemName(index))).toEqual(items);
    expect(dataset.labels).toEqual({ names: ["x", "y"], values: Int32Array.of(0, 1) });
    expect((await openVectors(file, { labels: "none" })).labels).toBeUndefined();
  }
  const unheaded = await openVectors(written("names.csv", "one,1,2\ntwo,3,4\n"));
  expect([unheaded.itemName(0), unheaded.count, unheaded.image.channels]).toEqual(["one", 2, 2]);
});

test("labels come from the archive, or from a file by the names of vectors", async () => {
  const labels = npy("<i8", [2], BigInt64Array.of(4n, 2n));
  const archive = written("labelled.npz", zipSync({ "x.npy": matrix, "y.npy": labels }));
  expect((await openVectors(archive)).labels).toEqual({ names: ["2", "4"], values: Int32Array.of(1, 0) });
  const table = written("named.csv", "item,a\nleft,1\nright,2\n");
  const byName = written("labels.txt", "right,R\nleft,L\n");
  expect((await openVectors(table, { labels: byName })).labels).toEqual({
    names: ["L", "R"],
    values: Int32Array.of(0, 1),
  });
  await expect(openVectors(table, { labels: "folders" })).rejects.toThrow(InputError);
});

test.each<[name: string, content: Uint8Array | string, message: string]>([
  ["nan.npy", npy("<f4", [2, 2], Float32Array.of(0, 1, Number.NaN, 2)), "row 1 (from 0 on) holds NaN"],
  ["large.npy", npy("<f8", [2, 1], Float64Array.of(0, 1e300)), "row 1 (from 0 on) holds Infinity"],
  ["half-nan.npy", npy("<f2", [1, 1], Uint8Array.of(0, 0x7e)), "row 0 (from 0 on) holds NaN"],
  ["one.npy", npy("<f4", [6], values), "the array is 6"],
  ["images.npy", npy("<f4", [1, 2, 3], values), "the array is 1 x 2 x 3"],
  ["maps.npy", npy("<f4", [1, 1, 2, 3], values), "the array is 1 x 1 x 2 x 3"],
  ["none.npy", npy("<f4", [0, 3], new Float32Array(0)), "holds no vectors"],
  ["narrow.npy", npy("<f4", [3, 0], new Float32Array(0)), "have no numbers"],
  ["junk.npy", "junk", "not a .npy file"],
  ["several.npz", zipSync({ "a.npy": matrix, "b.npy": matrix }), "holds a, b; call"],
  ["ragged.csv", "1,2\n3\n", "row 1 (from 0 on) has 1 fields"],
  ["nan.csv", "1,2\n3,nan\n", "row 1 (from 0 on) holds NaN"],
  ["text.csv", "1,2\n3,four\n", 'row 1 (from 0 on) holds "four"'],
  ["gap.csv", "1,2\n3,\n", 'row 1 (from 0 on) holds ""'],
  ["early-gap.csv", "1,\n3,4\n", 'row 0 (from 0 on) holds ""'],
  ["first-gap.csv", ",2\n3,4\n", 'row 0 (from 0 on) holds ""'],
  ["quote.csv", '1,"2\n3,4\n', "is not CSV"],
  ["empty.csv", "", "holds no vectors"],
  ["heading.csv", "a,b\n", "holds no vectors"],
  ["names.csv", "item\nx\ny\n", "have no numbers"],
  ["junk.parquet", "junk", "cannot be read as Parquet"],
  ["ragged.parquet", parquet({ features: [[1, 2], [3]] }), "row 1 (from 0 on) has 1 numbers"],
  ["nan.parquet", parquet({ features: [[1.5], [Number.NaN]] }), "row 1 (from 0 on) holds NaN"],
  ["text.parquet", parquet({ features: [["a"], ["b"]] }), "holds string in place of a number"],
  ["null.parquet", parquet({ features: [[1, 2], null] }), "row 1 (from 0 on) of features is no list"],
  ["flat.parquet", parquet({ features: [1, 2] }), "columns of lists are none"],
  ["several.parquet", parquet({ a: rows, b: rows }), "columns of lists are a, b"],
  ["vectors.txt", "1,2", "give one of these"],
])("%s is refused in one line", async (name, content, message) => {
  const error: unknown = await openVectors(written(name, content)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  const text = error instanceof Error ? error.message : "";
  expect(text).toContain(name);
  expect(text).toContain(message);
  expect(text).not.toContain("\n");
});

test("what is missing is said to be", async () => {
  for (const name of ["absent.npy", "absent.npz", "absent.csv", "absent.parquet"])
    await expect(openVectors(join(folder, name))).rejects.toThrow("it does not exist");
});

test("vectors are no images to openDataset", async () => {
  await expect(openDataset(written("vectors.npy", matrix))).rejects.toThrow(
    "vectors of 3 numbers, not images; give vectors as features",
  );
});
