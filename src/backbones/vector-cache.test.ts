import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { InputError } from "../files/errors.ts";
import { type CachedVector, VectorCache } from "./vector-cache.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(folder, { recursive: true }));

const numbered = (index: number): CachedVector => ({
  key: createHash("sha256").update(String(index)).digest(),
  vector: Float32Array.of(index, -index, 1 / (index + 1)),
});

test("thousands of vectors are found again", () => {
  const file = join(folder, "many", "many.vectors");
  const written = VectorCache.open(file, 3);
  const all = Array.from({ length: 2500 }, (_, index) => numbered(index));
  written.append(all.slice(0, 1024));
  written.append(all.slice(1024));
  written.close();
  const cache = VectorCache.open(file, 3);
  for (const { key, vector } of all) expect(cache.get(key)).toEqual(vector);
  expect(cache.get(numbered(2500).key)).toBeUndefined();
  cache.close();
});

test("two that write at once lose nothing, and neither gets a vector of the other's", () => {
  const file = join(folder, "shared.vectors");
  const [one, other] = [VectorCache.open(file, 3), VectorCache.open(file, 3)];
  one.append([numbered(1)]);
  other.append([numbered(2), numbered(3)]);
  one.append([numbered(4)]);
  expect(one.get(numbered(1).key)).toEqual(numbered(1).vector);
  expect(one.get(numbered(4).key)).toEqual(numbered(4).vector);
  expect(other.get(numbered(3).key)).toEqual(numbered(3).vector);
  one.close();
  other.close();
  const later = VectorCache.open(file, 3);
  for (const index of [1, 2, 3, 4]) expect(later.get(numbered(index).key)).toEqual(numbered(index).vector);
  later.close();
});

test("a record that is gone while the file is open is not known, rather than wrong", () => {
  const file = join(folder, "cut.vectors");
  const cache = VectorCache.open(file, 3);
  cache.append([numbered(1), numbered(2)]);
  truncateSync(file, 60);
  expect(cache.get(numbered(1).key)).toEqual(numbered(1).vector);
  expect(cache.get(numbered(2).key)).toBeUndefined();
  cache.close();
});

test("a place that cannot be written to is named", () => {
  writeFileSync(join(folder, "file"), "");
  const open = () => VectorCache.open(join(folder, "file", "some.vectors"), 3);
  expect(open).toThrow(InputError);
  expect(open).toThrow(`${join(folder, "file")}: cannot be written (`);
});
