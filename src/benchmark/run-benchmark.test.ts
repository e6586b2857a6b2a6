import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock, FakeMethod } from "../../test/benchmark-fakes.ts";
import { shapeDataset } from "../../test/shapes.ts";
import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { readCell } from "./cell.ts";
import { listCells } from "./cell-states.ts";
import type { BenchmarkMethod } from "./contenders.ts";
import { type BenchmarkRequest, planBenchmark } from "./plan.ts";
import { type BenchmarkEvent, type BenchmarkOptions, runBenchmark } from "./run-benchmark.ts";

let out: string;
beforeEach(() => {
  out = join(mkdtempSync(join(tmpdir(), "boostcluster-benchmark-")), "out");
});
afterEach(() => rmSync(join(out, ".."), { recursive: true }));

const images = 40;
const open = async (): Promise<Dataset> => shapeDataset(images);

interface Outcome {
  readonly failures: readonly string[];
  readonly events: readonly BenchmarkEvent[];
}

/** Runs fake methods on synthetic shapes. */
async function run(
  methods: Readonly<Record<string, BenchmarkMethod>>,
  { datasets = ["shapes"], seeds = [0], ...request }: BenchmarkRequest = {},
  options: Partial<BenchmarkOptions> = {},
): Promise<Outcome> {
  const events: BenchmarkEvent[] = [];
  const plan = planBenchmark({ datasets, seeds, ...request }, Object.keys(methods));
  const failures = await runBenchmark(plan, {
    out,
    methods,
    open,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { failures, events };
}

const kindsOf = ({ events }: Outcome): string[] => events.map(({ kind }) => kind);
const cell = (method: string, seed = 0) => ({ dataset: "shapes", method, effort: "paper", seed }) as const;

test("a cell is stored with all its settings and no path", async () => {
  await run({ one: new FakeMethod() }, { seeds: [2] }, { command: "boostcluster benchmark shapes", threads: 3 });
  const text = readFileSync(join(out, "cells", "shapes.one.paper.seed2.json"), "utf8");
  expect(JSON.parse(text)).toMatchObject({
    format: "boostcluster benchmark cell 2",
    dataset: { name: "shapes", count: images, image: { channels: 1, height: 12, width: 12 } },
    method: "one",
    effort: "paper",
    seed: 2,
    k: 4,
    settings: { k: 4, seed: 2, threads: 3 },
    fullSchedule: {},
    metrics: { acc: 1 - 2 / images },
    sizes: [9, 10, 11, 10],
    converged: true,
    epochs: { "auto-encoder": 3, clustering: 1 },
    versions: { node: process.versions.node },
    command: "boostcluster benchmark shapes",
  });
  expect(Object.keys(JSON.parse(text).machine)).toEqual(["cpu", "cores", "memoryGB"]);
  expect(text).not.toContain(out);
});

test("what a method gets has no labels, neither by type nor at run time", async () => {
  const method = new FakeMethod();
  await run({ one: method });
  expect(method.seen).toHaveLength(1);
  expect(Object.keys(method.seen[0])).not.toContain("labels");
});

test("finished cells are not run again", async () => {
  const [one, two] = [new FakeMethod(), new FakeMethod()];
  expect(kindsOf(await run({ one }))).toEqual(["start", "done"]);
  expect(kindsOf(await run({ one, two }))).toEqual(["kept", "start", "done"]);
  expect([one.fits, two.fits]).toEqual([1, 1]);
  expect(readdirSync(join(out, "cells"))).toEqual(["shapes.one.paper.seed0.json", "shapes.two.paper.seed0.json"]);
  expect(readdirSync(out).sort()).toEqual(["benchmark.csv", "benchmark.json", "benchmark.md", "cells"]);
});

test("an interrupted cell continues from its checkpoint, and its time adds up", async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  const stopped = new FakeMethod({ clock, seconds: 10, onEpoch: (epoch) => epoch === 3 && abort.abort() });
  await expect(run({ one: stopped }, {}, { clock: clock.now, signal: abort.signal })).rejects.toThrow("aborted");
  expect(stopped.epochsRun).toEqual([1, 2, 3]);
  expect(existsSync(join(out, "cells", "shapes.one.paper.seed0.partial"))).toBe(true);
  expect(readCell(out, cell("one"))).toBeUndefined();
  clock.milliseconds = 0;
  const resumed = new FakeMethod({ clock, seconds: 10 });
  const { events } = await run({ one: resumed }, {}, { clock: clock.now });
  expect(events[0]).toMatchObject({ kind: "start", resumed: true });
  expect(resumed.epochsRun).toEqual([3, 4]);
  expect(readCell(out, cell("one"))?.seconds).toBe(40);
  expect(readdirSync(join(out, "cells"))).toEqual(["shapes.one.paper.seed0.json"]);
});

test("a cell made with other settings or of other images is kept and reported, until forced", async () => {
  await run({ one: new FakeMethod({ settings: { rate: 0.1 } }) });
  const other = new FakeMethod({ settings: { rate: 0.2 } });
  const kept = await run({ one: other });
  expect(kept.events).toMatchObject([{ kind: "kept", difference: "with rate 0.1, where it would now be 0.2" }]);
  const otherImages = await run({ one: other }, {}, { open: async () => shapeDataset(images, 1) });
  expect(otherImages.events).toMatchObject([{ kind: "kept", difference: "of other images" }]);
  expect(other.fits).toBe(0);
  await run({ one: other }, {}, { force: true });
  expect(readCell(out, cell("one"))?.settings.rate).toBe(0.2);
  expect(kindsOf(await run({ one: other }, {}, { force: true }))).toEqual(["kept"]);
  expect(kindsOf(await run({ one: other }, {}, { threads: 7, force: true }))).toEqual(["kept"]);
});

test("a checkpoint of other settings is refused, until forced", async () => {
  const abort = new AbortController();
  const stopped = new FakeMethod({ settings: { rate: 0.1 }, onEpoch: (epoch) => epoch === 2 && abort.abort() });
  await expect(run({ one: stopped }, {}, { signal: abort.signal })).rejects.toThrow("aborted");
  const other = new FakeMethod({ settings: { rate: 0.2 } });
  const { failures } = await run({ one: other });
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatch(
    /^shapes\.one\.paper\.seed0: .* rate was 0\.1 and is 0\.2; .* or remove the run and start anew$/,
  );
  expect((await run({ one: other }, {}, { force: true })).failures).toEqual([]);
  expect(other.epochsRun).toEqual([1, 2, 3, 4]);
});

test("a cell or dataset that fails is reported in one line, and the others continue", async () => {
  const bad = new FakeMethod({
    onEpoch: () => {
      throw new InputError("the weights are no longer finite");
    },
  });
  const good = new FakeMethod();
  const openSome = async (source: string): Promise<Dataset> => {
    if (source === "missing") throw new InputError("missing: this set is not here");
    return source === "unlabelled" ? { ...shapeDataset(images), labels: undefined } : shapeDataset(images);
  };
  const datasets = ["missing", "unlabelled", "shapes"];
  const outcome = await run({ bad, good }, { datasets }, { open: openSome });
  expect(outcome.failures).toEqual([
    "missing: this set is not here",
    'unlabelled: this needs the true classes, to measure against; set labels to "folders" or to the path of a file',
    "shapes.bad.paper.seed0: the weights are no longer finite",
  ]);
  expect(kindsOf(outcome)).toEqual(["failed", "failed", "start", "failed", "start", "done"]);
  expect(readCell(out, cell("good"))).toBeDefined();
});

test("an unexpected error stops everything", async () => {
  const broken = new FakeMethod({
    onEpoch: () => {
      throw new Error("a fault");
    },
  });
  await expect(run({ broken })).rejects.toThrow("a fault");
});

test("unless seeds are given, there are three if the first takes less than five minutes", async () => {
  const clock = new FakeClock();
  const methods = { soon: new FakeMethod({ clock, seconds: 74 }), late: new FakeMethod({ clock, seconds: 75 }) };
  const plan = planBenchmark({ datasets: ["shapes"] }, Object.keys(methods));
  const states = () => listCells(plan, out).map(({ cell, state }) => `${cell.method} ${cell.seed} ${state}`);
  expect(states()).toEqual([
    "soon 0 to do",
    "late 0 to do",
    "soon 1 perhaps",
    "late 1 perhaps",
    "soon 2 perhaps",
    "late 2 perhaps",
  ]);
  await runBenchmark(plan, { out, methods, open, clock: clock.now });
  expect(states()).toEqual(["soon 0 done", "late 0 done", "soon 1 done", "soon 2 done"]);
  expect([methods.soon.fits, methods.late.fits]).toEqual([3, 1]);
});

test("effort quick is stored apart, with the full schedule's settings", async () => {
  await run({ dbc: new FakeMethod() }, { effort: "quick" });
  const record = readCell(out, { ...cell("dbc"), effort: "quick" });
  expect(record?.fullSchedule).toMatchObject({ pretrainEpochs: 1000 });
  expect(record?.settings.pretrainEpochs).not.toBe(1000);
});

test("a damaged file is reported before any work is done", async () => {
  const one = new FakeMethod();
  await run({ one });
  const file = join(out, "cells", "shapes.one.paper.seed0.json");
  for (const [text, message] of [
    ["{", "this is not JSON; delete it, and the cell is run again"],
    ["null", 'its format is "none"'],
    ['{"format":"something"}', 'its format is "something"'],
  ]) {
    writeFileSync(file, text);
    await expect(run({ one, two: one })).rejects.toThrow(`${file}: ${message}`);
  }
  expect(one.fits).toBe(1);
});
