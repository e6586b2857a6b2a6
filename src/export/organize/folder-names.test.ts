import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clusterFolders, folderName } from "./folder-names.ts";

const strange = [
  "../../etc/passwd",
  "..",
  ".hidden",
  'a/b\\c:d*e?f"g<h>i|j',
  "line\nbreak\0",
  " spaces and dots. . ",
  "CON",
  "lpt1.txt",
  "\u202egnp.exe",
  "\ud800",
  "🐈‍⬛ chats noirs",
  "x".repeat(1000),
  "日本".repeat(200),
  "",
  "///",
];

test("whatever a cluster is called, its folder is one of the folder that is made, and can be made", () => {
  const folder = mkdtempSync(join(tmpdir(), "boostcluster-names-"));
  const folders = clusterFolders(strange.keys(), new Map(strange.entries()));
  for (const name of folders.values()) mkdirSync(join(folder, name));
  expect(readdirSync(folder).toSorted()).toEqual([...folders.values()].toSorted());
  rmSync(folder, { recursive: true });
});

test.each([
  ["receipts", "receipts"],
  ["2019/summer", "2019-summer"],
  ["con", "con-"],
  ["aux.txt", "aux.txt-"],
  ["console", "console"],
  [" .trim me. ", "trim me"],
  ["🐈‍⬛", "🐈‍⬛"],
  ["...", ""],
])("%j becomes %j", (name, folder) => {
  expect(folderName(name)).toBe(folder);
});

test("no two clusters share a folder, and none has that of what belongs nowhere", () => {
  const names = ["Cats", "cats", "none", "aside", "5", "CATS", "a:b", "a?b"];
  const folders = clusterFolders(
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    new Map([...names.entries()].map(([c, n]) => [c < 5 ? c : c + 1, n])),
  );
  expect(Object.fromEntries(folders)).toEqual({
    0: "Cats",
    1: "cats-2",
    2: "none-2",
    3: "aside-2",
    4: "5-2",
    5: "5",
    6: "CATS-3",
    7: "a-b",
    8: "a-b-2",
  });
});
