import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compiled } from "../../test/compile.ts";
import { killedAfter } from "../../test/killed.ts";
import { finishReplacing, replaceTogether } from "./file-set.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-file-set-"));
afterAll(() => rmSync(folder, { recursive: true }));

const names = ["a.txt", "b.txt", "c.txt"];
const contents = (place: string): string[] => names.map((name) => readFileSync(join(place, name), "utf8"));

test("what fails half-way leaves the files as they were, and nothing beside them", () => {
  const place = join(folder, "failing");
  mkdirSync(place);
  for (const name of names) writeFileSync(join(place, name), "old");
  expect(() =>
    replaceTogether(place, "adding", (staging) => {
      writeFileSync(join(staging, "a.txt"), "new");
      throw new Error("the disk is full");
    }),
  ).toThrow("the disk is full");
  expect(contents(place)).toEqual(["old", "old", "old"]);
  expect(readdirSync(place)).toEqual(names);
});

test("what was begun is finished by whoever looks next", () => {
  const place = join(folder, "begun");
  mkdirSync(join(place, "adding"), { recursive: true });
  writeFileSync(join(place, "a.txt"), "new");
  for (const name of ["b.txt", "c.txt"]) {
    writeFileSync(join(place, name), "old");
    writeFileSync(join(place, "adding", name), "new");
  }
  finishReplacing(place, "adding");
  expect(contents(place)).toEqual(["new", "new", "new"]);
  expect(readdirSync(place)).toEqual(names);
});

test("a process killed at any moment leaves all files old or all new", async () => {
  const script = join(folder, "replacing.mjs");
  writeFileSync(
    script,
    `import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceTogether } from ${JSON.stringify(join(compiled, "files", "file-set.js"))};
for (let round = 0; ; round++) {
  replaceTogether(process.argv[2], "adding", (staging) => {
    for (const name of ${JSON.stringify(names)}) writeFileSync(join(staging, name), String(round));
  });
  if (round === 0) console.log("begun");
}`,
  );
  for (const milliseconds of [1, 7, 18]) {
    const place = join(folder, `killed-${milliseconds}`);
    mkdirSync(place);
    expect(await killedAfter(script, [place], milliseconds)).toContain("begun");
    finishReplacing(place, "adding");
    expect(new Set(contents(place)).size).toBe(1);
  }
});
