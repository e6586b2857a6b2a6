import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ThumbnailPack } from "./thumbnail-pack.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-pack-"));
afterAll(() => rmSync(folder, { recursive: true }));

const picture = (text: string): Uint8Array => Buffer.from(`RIFF${text}`);
const textIn = async (pack: ThumbnailPack, version: string): Promise<string | undefined> => {
  const bytes = await pack.get(version);
  return bytes && Buffer.from(bytes).toString();
};

test("pictures are found again, after a restart too, and others are not", async () => {
  const place = join(folder, "kept");
  const pack = await ThumbnailPack.open(place);
  for (const name of ["a", "b", "c"]) pack.add(name, picture(name.repeat(10)));
  expect(await textIn(pack, "b")).toBe(`RIFF${"b".repeat(10)}`);
  await pack.close();
  const again = await ThumbnailPack.open(place);
  expect([again.has("c"), again.has("d")]).toEqual([true, false]);
  expect(await textIn(again, "c")).toBe(`RIFF${"c".repeat(10)}`);
  await again.close();
});

test("while one process writes, another one reads", async () => {
  const place = join(folder, "shared");
  const first = await ThumbnailPack.open(place);
  first.add("a", picture("a"));
  const second = await ThumbnailPack.open(place);
  second.add("b", picture("b"));
  expect([await textIn(second, "a"), second.has("b")]).toEqual(["RIFFa", false]);
  await second.close();
  first.add("c", picture("c"));
  expect(await textIn(first, "c")).toBe("RIFFc");
  await first.close();
});

test("what a killed process has half written is not shown, and nothing after it is lost", async () => {
  const place = join(folder, "killed");
  const pack = await ThumbnailPack.open(place);
  pack.add("a", picture("a"));
  pack.add("b", picture("b"));
  await pack.close();
  const [file, index] = [join(place, "pictures.pack"), join(place, "pictures.index")];
  // The machine has lost its power: the entry of b is there, its picture only in part; another entry is cut off.
  writeFileSync(file, readFileSync(file).subarray(0, -1));
  appendFileSync(index, Buffer.alloc(7));
  const again = await ThumbnailPack.open(place);
  expect([await textIn(again, "a"), await textIn(again, "b")]).toEqual(["RIFFa", undefined]);
  again.add("c", picture("c"));
  await again.close();
  const third = await ThumbnailPack.open(place);
  expect(await textIn(third, "c")).toBe("RIFFc");
  await third.close();
});
