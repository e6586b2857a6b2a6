import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { streamFileAtomically, writeChunksAtomically, writeFileAtomically } from "./atomic.ts";
import { InputError } from "./errors.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boostcluster-atomic-"));
  path = join(folder, "file.txt");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("texts, bytes and what a writer writes replace the file and leave nothing else", () => {
  writeFileAtomically(path, "größer");
  expect(readFileSync(path, "utf8")).toBe("größer");
  writeFileAtomically(path, Uint8Array.of(1, 2, 3));
  expect([...readFileSync(path)]).toEqual([1, 2, 3]);
  writeFileAtomically(path, (fd) => {
    writeSync(fd, "one ");
    writeSync(fd, "two");
  });
  expect(readFileSync(path, "utf8")).toBe("one two");
  writeFileAtomically(path, "");
  expect(readFileSync(path, "utf8")).toBe("");
  expect(readdirSync(folder)).toEqual(["file.txt"]);
});

test("chunks of texts and bytes keep their order, however many", () => {
  function* chunks() {
    yield "begin ";
    yield new TextEncoder().encode("bytes ");
    for (let line = 0; line < 50_000; line++) yield `${line}\n`;
    yield new TextEncoder().encode("end");
  }
  writeChunksAtomically(path, chunks());
  const lines = Array.from({ length: 50_000 }, (_, line) => `${line}\n`).join("");
  expect(readFileSync(path, "utf8")).toBe(`begin bytes ${lines}end`);
});

test("a writer that fails leaves the old file, nothing else, and its own error", () => {
  writeFileAtomically(path, "old");
  const failing = (error: unknown) =>
    function* () {
      yield new Uint8Array(100_000);
      throw error;
    };
  expect(() => writeChunksAtomically(path, failing(new Error("out of ideas"))())).toThrow("out of ideas");
  const missing = join(folder, "missing.png");
  expect(() =>
    writeFileAtomically(path, () => {
      openSync(missing, "r");
    }),
  ).toThrow(`ENOENT: no such file or directory, open '${missing}'`);
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["file.txt"]);
});

test("content that is made while others wait comes whole, or not at all", async () => {
  await streamFileAtomically(path, async (append) => {
    append("one ");
    await Promise.resolve();
    append(new TextEncoder().encode("two"));
  });
  expect(readFileSync(path, "utf8")).toBe("one two");
  const failing = streamFileAtomically(path, async (append) => {
    append("three");
    throw new Error("out of ideas");
  });
  await expect(failing).rejects.toThrow("out of ideas");
  expect(readFileSync(path, "utf8")).toBe("one two");
  expect(readdirSync(folder)).toEqual(["file.txt"]);
});

test.runIf(existsSync("/dev/full"))("a full disk is told in one line", () => {
  writeFileAtomically(path, "old");
  const full = openSync("/dev/full", "w");
  const write = () => writeFileAtomically(path, () => writeSync(full, "new"));
  expect(write).toThrow(new InputError(`cannot write ${path}: the disk is full; free some space (ENOSPC)`));
  closeSync(full);
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["file.txt"]);
});

test("a place where nothing can be written is told in one line", () => {
  const nowhere = join(folder, "missing", "file.txt");
  expect(() => writeFileAtomically(nowhere, "")).toThrow(
    new InputError(`cannot write ${nowhere}: its folder does not exist; create it (ENOENT)`),
  );
  writeFileAtomically(path, "");
  const inFile = join(path, "file.txt");
  expect(() => writeFileAtomically(inFile, "")).toThrow(
    new InputError(`cannot write ${inFile}: a folder in its path is a file; choose another place (ENOTDIR)`),
  );
  const taken = join(folder, "taken");
  mkdirSync(taken);
  expect(() => writeFileAtomically(taken, "")).toThrow(`cannot write ${taken}: `);
  expect(readdirSync(folder).sort()).toEqual(["file.txt", "taken"]);
});

test("a process killed half-way leaves the old file", async () => {
  writeFileAtomically(path, "old");
  const script = `
    import { writeSync } from "node:fs";
    import { writeFileAtomically } from ${JSON.stringify(new URL("atomic.ts", import.meta.url).href)};
    writeFileAtomically(${JSON.stringify(path)}, (fd) => {
      writeSync(fd, "ne");
      writeSync(1, "half-way");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  expect(readdirSync(folder)).toHaveLength(2);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(readFileSync(path, "utf8")).toBe("old");
  writeFileAtomically(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
});
