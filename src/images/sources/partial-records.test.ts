import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compiled } from "../../../test/compile.ts";
import { killedAfter } from "../../../test/killed.ts";
import { PartialRecords } from "./partial-records.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-partial-"));
afterAll(() => rmSync(folder, { recursive: true }));

const recordOf = (index: number): Uint8Array => Uint8Array.of(index >> 16, index >> 8, index, 7);

test("a process that was killed is gone on with after the last note, to the same file", async () => {
  const [file, script] = [join(folder, "killed"), join(folder, "writing.mjs")];
  writeFileSync(
    script,
    `import { PartialRecords } from ${JSON.stringify(join(compiled, "images", "sources", "partial-records.js"))};
const records = new PartialRecords(process.argv[2], 4, { noteEvery: 1 });
for (let index = 0; ; index++) {
  records.append(Uint8Array.of(index >> 16, index >> 8, index, 7));
  if (index % 10 === 3) records.skip({ file: String(index), reason: "none" });
  if (index === 500) console.log("begun");
}`,
  );
  await killedAfter(script, [file], 20);
  const records = new PartialRecords(file, 4);
  const there = records.records;
  expect(there).toBeGreaterThan(0);
  // The note may have been written between the last record and the file that is skipped after it.
  const skipped = Array.from({ length: there }, (_, index) => String(index)).filter((_, index) => index % 10 === 3);
  const before = skipped.filter((index) => Number(index) < there - 1);
  expect([skipped, before]).toContainEqual(records.skipped.map(({ file }) => file));
  expect([...records.left()].length).toBe(there);
  for (let index = there; index < there + 5; index++) records.append(recordOf(index));
  records.finish("end");
  const content = readFileSync(file);
  expect(content.subarray(4 * (there + 5)).toString()).toBe("end");
  for (let index = 0; index < there + 5; index++)
    expect([...content.subarray(4 * index, 4 * index + 4)]).toEqual([...recordOf(index)]);
  expect(readdirSync(folder).filter((name) => name.includes("killed"))).toEqual(["killed"]);
});

test("two that make the same file do not get in each other's way; what was quick leaves nothing", () => {
  const file = join(folder, "twice");
  const [first, second] = [new PartialRecords(file, 4), new PartialRecords(file, 4)];
  first.append(recordOf(1));
  second.append(recordOf(2));
  second.finish("");
  expect([...readFileSync(file)]).toEqual([...recordOf(2)]);
  first.leave();
  expect(readdirSync(folder).filter((name) => name.includes("twice"))).toEqual(["twice"]);
});

test("a file that cannot take its place leaves nothing behind, and is made as soon as it can", () => {
  const file = join(folder, "barred");
  mkdirSync(join(file, "in the way"), { recursive: true });
  const first = new PartialRecords(file, 4);
  first.append(recordOf(1));
  expect(() => first.finish("")).toThrow();
  first.leave();
  expect(readdirSync(folder).filter((name) => name.includes("barred"))).toEqual(["barred"]);
  rmSync(file, { recursive: true });
  const second = new PartialRecords(file, 4);
  second.append(recordOf(2));
  second.finish("");
  expect([...readFileSync(file)]).toEqual([...recordOf(2)]);
});

test("records of another size are begun anew", () => {
  const file = join(folder, "resized");
  const first = new PartialRecords(file, 4, { noteEvery: 0 });
  first.append(recordOf(1));
  first.leave();
  const second = new PartialRecords(file, 3);
  expect(second.records).toBe(0);
  second.leave();
});
