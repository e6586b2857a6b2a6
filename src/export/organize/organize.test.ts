import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundled } from "../../../test/bundled.ts";
import { keyOf, modelOf, referenceOf, writeImages, writeModelRun } from "../../../test/decided-model.ts";
import { Random } from "../../numeric/random.ts";
import { DecisionLog } from "../../runs/decisions/decision-log.ts";
import { journalName } from "./folder-names.ts";
import { moveFile, takeBack } from "./move-file.ts";
import { undoMoves } from "./move-journal.ts";
import { organize } from "./organize.ts";
import { organizePlan } from "./plan.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-organize-"));
const model = modelOf(300, 3);
let child: Awaited<ReturnType<typeof bundled>>;

beforeAll(async () => {
  child = await bundled("moving-child.ts");
});

afterAll(() => {
  for (const made of [folder, child.folder]) rmSync(made, { recursive: true });
});

interface Made {
  readonly run: string;
  readonly images: string;
  readonly out: string;
}

/** A run of 300 images. */
function makeRun(name: string): Made {
  const images = writeImages(join(folder, name, "images"), model);
  return { run: writeModelRun(join(folder, name, "run"), model, images), images, out: join(folder, name, "sorted") };
}

/** All files below a folder, with what is in them. */
const contentOf = (place: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(place, { recursive: true, encoding: "utf8" })
      .filter((file) => !lstatSync(join(place, file)).isDirectory())
      .toSorted()
      .map((file) => [file, readFileSync(join(place, file), "utf8")]),
  );

/** Moves, or moves back, and is killed before that operation on files. */
async function killedAt(operation: number, run: string, out: string, ...undo: readonly string[]): Promise<void> {
  const args = [child.script, run, out, String(operation), ...undo];
  await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit");
}

test("folders are called what people call the clusters; what is put aside has its own", async () => {
  const { run, out } = makeRun("named");
  const log = await DecisionLog.open(run, { write: true });
  log.append({ kind: "rename", of: referenceOf(1, model), name: "cats/dogs" });
  log.append({ kind: "aside", images: [keyOf(0)] });
  log.append({ kind: "move", images: [keyOf(3)], to: referenceOf(1, model) });
  log.close();
  const plan = await organizePlan(run, { out });
  expect(plan.folders).toEqual(
    [
      { name: "2", images: 100 },
      { name: "aside", images: 1 },
      { name: "cats-dogs", images: 101 },
      { name: "0", images: 98 },
    ].toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true })),
  );
  expect(existsSync(out)).toBe(false);
  expect(organize(plan)).toEqual({ out, images: 300 });
  expect(readdirSync(join(out, "aside"))).toEqual(["0.png"]);
  expect(lstatSync(join(out, "cats-dogs", "3.png")).isSymbolicLink()).toBe(true);
  const { folders } = await organizePlan(run, { model: true });
  expect(folders.map(({ name, images }) => [name, images])).toEqual([
    ["0", 100],
    ["1", 100],
    ["2", 100],
  ]);
});

test("originals are moved and taken back, files and folders", async () => {
  const { run, images, out } = makeRun("moved");
  const before = contentOf(images);
  organize(await organizePlan(run, { by: "move", out }));
  expect(readdirSync(images)).toEqual([]);
  expect(readFileSync(join(out, "1", "4.png"), "utf8")).toBe(keyOf(4));
  writeFileSync(join(out, "1", "mine.txt"), "");
  expect(undoMoves(out)).toBe(300);
  expect(contentOf(images)).toEqual(before);
  expect(contentOf(out)).toEqual({ "1/mine.txt": "" });
});

test.each([
  ["exists already", async ({ out }: Made) => mkdirSync(out)],
  ["is gone", async ({ images }: Made) => rmSync(join(images, "7.png"))],
  [
    "is a link",
    async ({ images }: Made) => {
      rmSync(join(images, "7.png"));
      symlinkSync("8.png", join(images, "7.png"));
    },
  ],
])("what %s is refused before anything is moved", async (reason, prepare) => {
  const made = makeRun(reason);
  await prepare(made);
  const before = contentOf(made.images);
  const plan = await organizePlan(made.run, { by: "move", out: made.out });
  expect(plan.refused?.message).toContain(reason);
  expect(() => organize(plan)).toThrow(reason);
  expect(contentOf(made.images)).toEqual(before);
});

test("originals are never moved into a run, which may be replaced", async () => {
  const { run } = makeRun("inside");
  const { refused } = await organizePlan(run, { by: "move", out: join(run, "clusters") });
  expect(refused?.message).toContain("this is in the run");
});

test("if one cannot be moved, none is; nothing is ever written over", async () => {
  const { run, images, out } = makeRun("half");
  const before = contentOf(images);
  const plan = await organizePlan(run, { by: "move", out });
  const [first, second] = plan.placements;
  expect(() => organize({ ...plan, placements: [first, { ...second, to: first.to }] })).toThrow("is there already");
  expect(contentOf(images)).toEqual(before);
  expect(existsSync(out)).toBe(false);
});

test("what has come to be in an old place stays, and is named; the rest is taken back", async () => {
  const { run, images, out } = makeRun("taken");
  organize(await organizePlan(run, { by: "move", out }));
  writeFileSync(join(images, "5.png"), "another");
  expect(() => undoMoves(out)).toThrow(`1 file could not be taken back, all others are: ${join(images, "5.png")}`);
  expect(readdirSync(images)).toHaveLength(300);
  expect(readFileSync(join(images, "5.png"), "utf8")).toBe("another");
  rmSync(join(images, "5.png"));
  undoMoves(join(out, journalName));
  expect(readFileSync(join(images, "5.png"), "utf8")).toBe(keyOf(5));
  expect(existsSync(out)).toBe(false);
});

test("killed at any moment, moving or moving back: --undo restores everything", async () => {
  const { run, images, out } = makeRun("killed");
  const before = contentOf(images);
  const random = new Random(0, "kills");
  // To move takes two operations a file, and a few more for the journal.
  const moments = [0, 1, 2, 3, ...Array.from({ length: 8 }, () => random.integer(600))];
  for (const moment of moments) {
    await killedAt(moment, run, out);
    const moved = 300 - readdirSync(images).length;
    expect(moved).toBe(Math.max(0, Math.floor((moment - 2) / 2)));
    if (existsSync(out)) {
      await killedAt(random.integer(4 * moved + 6), run, out, "undo");
      if (existsSync(join(out, journalName))) undoMoves(out);
    }
    expect(contentOf(images)).toEqual(before);
    rmSync(out, { recursive: true, force: true });
  }
}, 120_000);

/** A folder that is on another device, on most systems that run Linux. */
const memory = "/dev/shm";
const elsewhere = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev;

test.skipIf(!elsewhere)("to another device and back: copied whole, with its time, before the original goes", () => {
  const there = mkdtempSync(join(memory, "boostcluster-"));
  try {
    const [from, to] = [join(folder, "far.png"), join(there, "a", "far.png")];
    writeFileSync(from, "content");
    const { mtime } = statSync(from);
    moveFile(from, to);
    expect([existsSync(from), readFileSync(to, "utf8"), statSync(to).mtime]).toEqual([false, "content", mtime]);
    // Killed before the original was removed: both are there.
    writeFileSync(from, "content");
    expect(takeBack(from, to)).toBeUndefined();
    expect([existsSync(to), readFileSync(from, "utf8")]).toEqual([false, "content"]);
    moveFile(from, to);
    expect(takeBack(from, to)).toBeUndefined();
    expect(readFileSync(from, "utf8")).toBe("content");
  } finally {
    rmSync(there, { recursive: true });
  }
});
