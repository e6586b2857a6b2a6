import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Terminal } from "../../test/terminal.ts";
import type { PlanEvent } from "../methods/training/progress.ts";
import type { Stage } from "../runs/fitted.ts";
import { displaying, type ProgressOptions, TextProgress } from "./progress.ts";

/** Stages of 4 batches of 25 images per epoch. */
const plan = (...stages: readonly [stage: Stage, epochs: number][]): PlanEvent => ({
  kind: "plan",
  stages: stages.map(([stage, epochs]) => ({ stage, epochs, batches: 4, batch: 25 })),
});

const usual = plan(["auto-encoder", 400], ["over-clustering", 100], ["clustering", 50]);

interface Part {
  readonly from?: number;
  readonly to?: number;
  readonly of: number;
  /** Milliseconds of a batch. */
  readonly pace?: number;
}

/** A display by a clock that only training moves on. */
function shown(terminal: Terminal, options: Partial<ProgressOptions> = {}) {
  let time = 0;
  const display = new TextProgress({ quiet: false, output: terminal, clock: () => time, ...options });
  const train = (stage: Stage, { from = 1, of, to = of, pace = 25 }: Part): void => {
    const changed = stage === "auto-encoder" ? {} : { changed: 0.125 };
    for (let epoch = from; epoch <= to; epoch++) {
      for (let done = 1; done <= 4; done++) {
        time += pace;
        display.show({ kind: "batch", stage, epoch, epochs: of, done, total: 4, batch: 25 });
      }
      display.show({ kind: "epoch", stage, epoch, epochs: of, loss: 1 / epoch, ...changed });
    }
  };
  return { display, train };
}

beforeEach(() => {
  vi.stubEnv("TERM", "xterm-256color");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test("in the middle: what is done, under way and to come, and the time left of everything", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.line("photos: 100 images, 64x64 colour");
  display.show(usual);
  train("auto-encoder", { of: 400 });
  train("over-clustering", { of: 100, to: 50 });
  expect(terminal.lines).toEqual([
    "photos: 100 images, 64x64 colour",
    "✓ stage I, auto-encoder: 400 epochs, loss 0.002500, 40 s",
    "● over-clustering: epoch 50 of 100, loss 0.02041, 13 % changed cluster",
    "○ stage II, clustering: 50 epochs",
    "━━━━━━━━━━━━━━━━━━━━━─────  82 %, about 10 s left, 45 s so far",
    "",
  ]);
});

test("at the end: a line per stage, whatever the number of epochs, and the cursor below them", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(usual);
  train("auto-encoder", { of: 400 });
  train("over-clustering", { of: 100 });
  // The assignments have settled.
  train("clustering", { of: 50, to: 30 });
  display.end();
  display.stop();
  expect(terminal.lines).toEqual([
    "✓ stage I, auto-encoder: 400 epochs, loss 0.002500, 40 s",
    "✓ over-clustering: 100 epochs, loss 0.01000, 10 s",
    "✓ stage II, clustering: 30 of 50 epochs, loss 0.03333, 3 s",
    "",
  ]);
  expect(terminal.cursor).toEqual({ row: 3, column: 0 });
});

test("before the first step of a stage it is being prepared", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(usual);
  expect(terminal.lines[0]).toBe("● stage I, auto-encoder: preparing");
  train("auto-encoder", { of: 400 });
  expect(terminal.lines[1]).toBe("● over-clustering: preparing");
});

test("after the last stage no time is made up", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(plan(["partitions", 10]));
  train("partitions", { of: 10 });
  expect(terminal.lines).toEqual([
    "✓ partitions: 10 partitions, loss 0.1000, 1 s",
    "━━━━━━━━━━━━━━━━━━━━━━━━━━  finishing, 1 s so far",
    "",
  ]);
});

test("each stage is predicted by its own pace once it has one", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(plan(["auto-encoder", 100], ["clustering", 100]));
  train("auto-encoder", { of: 100, to: 50 });
  expect(terminal.lines.at(-2)).toContain("25 %, about 15 s left");
  train("auto-encoder", { from: 51, of: 100 });
  train("clustering", { of: 100, to: 50, pace: 100 });
  expect(terminal.lines.at(-2)).toContain("75 %, about 20 s left");
});

test("a resumed run begins in the middle and is not taken to be fast", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(usual);
  train("over-clustering", { from: 51, of: 100, to: 75 });
  expect(terminal.lines).toEqual([
    "✓ stage I, auto-encoder: nothing left to do",
    "● over-clustering: epoch 75 of 100, loss 0.01351, 13 % changed cluster",
    "○ stage II, clustering: 50 epochs",
    expect.stringContaining("86 %, about 10 s left, 2 s so far"),
    "",
  ]);
});

test("an auto-encoder that was trained before does not make the others fast", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(plan(["auto-encoder", 300]));
  train("auto-encoder", { of: 300, to: 100 });
  train("auto-encoder", { from: 201, of: 300, to: 220 });
  expect(terminal.lines.at(-2)).toContain("about 10 s left");
});

test("several starts of stage II train in turn: a stage is done when it does not come back", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(plan(["auto-encoder", 200], ["over-clustering", 40], ["clustering", 10]));
  train("auto-encoder", { of: 200, to: 100 });
  train("over-clustering", { of: 40, to: 20 });
  expect(terminal.lines[0]).toBe("● over-clustering: epoch 20 of 40, loss 0.05263, 13 % changed cluster");
  expect(terminal.lines[1]).toBe("○ stage I, auto-encoder: 100 epochs");
  train("auto-encoder", { from: 101, of: 200 });
  train("over-clustering", { from: 21, of: 40 });
  train("clustering", { of: 10 });
  display.end();
  expect(terminal.lines.map((line) => line.split(":")[0])).toEqual([
    "✓ stage I, auto-encoder",
    "✓ over-clustering",
    "✓ stage II, clustering",
    "",
  ]);
});

test("the time left is the time before what follows", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.followedBy("the report");
  display.show(usual);
  train("auto-encoder", { of: 400, to: 40 });
  expect(terminal.lines.at(-2)).toContain("about 50 s left before the report");
  terminal.resize(50);
  train("auto-encoder", { from: 41, of: 400, to: 42 });
  expect(terminal.lines.at(-2)).toBe("────────────  8 %, about 50 s left");
});

test.each([5, 20, 30, 45, 60, 79, 200])("nothing is wider than %i columns", (columns) => {
  const terminal = new Terminal({ columns });
  const { display, train } = shown(terminal);
  display.step("reading images", 50, 100);
  display.show(usual);
  train("auto-encoder", { of: 400 });
  train("over-clustering", { of: 100, to: 30 });
  expect(terminal.widest).toBeLessThan(columns);
  // One line is done, one under way, one to come, one for all; the cursor's.
  expect(terminal.lines).toHaveLength(5);
  display.end();
  expect(terminal.lines).toHaveLength(4);
});

test("a terminal that is made narrower, then wider, keeps what is done and nothing else", () => {
  const terminal = new Terminal({ columns: 80 });
  const { display, train } = shown(terminal);
  display.line("photos: 100 images");
  display.show(usual);
  train("auto-encoder", { of: 400, to: 100 });
  terminal.resize(30);
  train("auto-encoder", { from: 101, of: 400, to: 200 });
  expect(terminal.lines).toEqual([
    "photos: 100 images",
    "● stage I, auto-encoder",
    "○ over-clustering: 100 epochs",
    "○ stage II, clustering",
    "36 %, about 35 s left",
    "",
  ]);
  terminal.resize(80);
  train("auto-encoder", { from: 201, of: 400, to: 300 });
  expect(terminal.lines).toHaveLength(6);
  expect(terminal.lines[1]).toBe("● stage I, auto-encoder: epoch 300 of 400, loss 0.003344");
});

test("more lines than the terminal has rows do not pile up", () => {
  const terminal = new Terminal({ rows: 3 });
  const { display, train } = shown(terminal);
  display.show(usual);
  train("auto-encoder", { of: 400, to: 300 });
  expect(terminal.lines).toHaveLength(3);
});

test("warnings stay above the display, each once", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(usual);
  train("auto-encoder", { of: 400, to: 2 });
  display.show({ kind: "warning", message: "2 of 4 clusters have died" });
  train("auto-encoder", { from: 3, of: 400, to: 4 });
  display.show({ kind: "warning", message: "2 of 4 clusters have died" });
  expect(terminal.lines[0]).toBe("warning: 2 of 4 clusters have died");
  expect(terminal.lines[1]).toMatch(/^● stage I, auto-encoder: epoch \d of 400/);
  expect(terminal.lines.filter((line) => line.startsWith("warning"))).toHaveLength(1);
});

test("what is interrupted is not called done, and leaves no display behind", async () => {
  const terminal = new Terminal();
  const failing = displaying({ quiet: false, output: terminal, clock: () => 0 }, async (display) => {
    display.line("photos: 100 images");
    display.show(usual);
    display.show({ kind: "batch", stage: "auto-encoder", epoch: 12, epochs: 400, done: 1, total: 4, batch: 25 });
    // The terminal's echo of Ctrl-C.
    terminal.write("^C");
    throw new Error("interrupted");
  });
  await expect(failing).rejects.toThrow("interrupted");
  expect(terminal.lines).toEqual([
    "photos: 100 images",
    "■ stage I, auto-encoder: stopped after 11 of 400 epochs, 0 s",
    "",
  ]);
  expect(terminal.cursor.column).toBe(0);
});

test("tasks that are no stages leave nothing", () => {
  const terminal = new Terminal();
  const { display } = shown(terminal);
  for (let done = 0; done <= 100; done++) display.step("reading images", done, 100);
  expect(terminal.lines).toEqual(["━━━━━━━━━━━━━━━━━━━━━━━━━━  reading images: 100 of 100", ""]);
  display.end();
  expect(terminal.lines).toEqual([""]);
});

test("steps in quick succession are not all drawn", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(usual);
  train("auto-encoder", { of: 400, pace: 0.1 });
  // 1600 batches in 160 milliseconds.
  expect(terminal.written).toBeLessThan(2000);
});

test("--verbose adds a line per epoch, above the display", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal, { verbose: true });
  display.show(usual);
  train("over-clustering", { of: 100, to: 2 });
  expect(terminal.lines.slice(0, 4)).toEqual([
    "✓ stage I, auto-encoder: nothing left to do",
    "over-clustering, epoch 1 of 100: loss 1.000, 12.50 % changed cluster",
    "over-clustering, epoch 2 of 100: loss 0.5000, 12.50 % changed cluster",
    expect.stringMatching(/^● over-clustering: epoch 2 of 100/),
  ]);
});

test.each([
  ["no terminal", "xterm", false],
  ["a terminal that cannot move its cursor", "dumb", true],
])("%s gets a plain line per epoch, and no more", (_, term, isTTY) => {
  vi.stubEnv("TERM", term);
  let written = "";
  const output = { isTTY, columns: 20, write: (text: string) => (written += text), hasColors: () => true };
  const { display, train } = shown(new Terminal(), { output });
  display.line("photos: 100 images");
  display.step("reading images", 50, 100);
  display.show(usual);
  train("auto-encoder", { of: 400 });
  train("clustering", { of: 50, to: 20 });
  display.show({ kind: "warning", message: "2 of 4 clusters have died" });
  display.end();
  const lines = written.split("\n");
  expect(lines).toHaveLength(1 + 400 + 20 + 1 + 1);
  expect(lines[1]).toBe("stage I, auto-encoder, epoch 1 of 400: loss 1.000");
  expect(lines[401]).toBe("stage II, clustering, epoch 1 of 50: loss 1.000, 12.50 % changed cluster");
  expect(written).not.toContain("\x1b");
});

test("a download that goes on tells the rate and the time of what this process fetches", () => {
  const terminal = new Terminal({ columns: 120 });
  let seconds = 0;
  const display = new TextProgress({ quiet: false, output: terminal, clock: () => 1000 * seconds });
  const mebibytes = (count: number): number => count * 2 ** 20;
  display.step("fetching mnist", mebibytes(50), mebibytes(100), { unit: "bytes" });
  seconds = 4;
  display.step("fetching mnist", mebibytes(60), mebibytes(100), { unit: "bytes" });
  expect(terminal.lines.join("\n")).toContain("fetching mnist: 60 MiB of 100 MiB, about 15 s left, 2.5 MiB/s");
  display.stop();
});

test("--quiet writes warnings alone", () => {
  const terminal = new Terminal();
  const { display, train } = shown(terminal, { quiet: true, verbose: true });
  display.line("photos: 100 images");
  display.step("reading images", 50, 100);
  display.show(usual);
  train("auto-encoder", { of: 400, to: 10 });
  expect(terminal.written).toBe(0);
  display.show({ kind: "warning", message: "2 of 4 clusters have died" });
  display.stop();
  display.end();
  expect(terminal.lines.join("\n").trimEnd()).toBe("warning: 2 of 4 clusters have died");
});

test("colours are there where the terminal has them, and change nothing that is read", () => {
  const [plain, coloured] = [false, true].map((colours) => {
    const terminal = new Terminal({ colours });
    const { display, train } = shown(terminal);
    display.show(usual);
    train("auto-encoder", { of: 400, to: 100 });
    return terminal;
  });
  expect(coloured.lines).toEqual(plain.lines);
  expect(coloured.written).toBeGreaterThan(plain.written);
});

test("a console without such characters gets plain ones", () => {
  vi.stubEnv("TERM", "linux");
  const terminal = new Terminal();
  const { display, train } = shown(terminal);
  display.show(usual);
  train("auto-encoder", { of: 400, to: 100 });
  display.stop();
  train("auto-encoder", { of: 400, to: 1 });
  expect(terminal.lines.join("\n")).toMatch(/^[\x20-\x7e\n]*$/);
});
