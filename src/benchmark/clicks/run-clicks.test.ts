import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { shapeDataset } from "../../../test/shapes.ts";
import { clusterNumbers, renumbered } from "../../methods/dbc/refined-clusters.ts";
import { type ClicksCell, readClicks } from "./clicks-cell.ts";
import type { Refine } from "./lesson.ts";
import { type ClicksEvent, type ClicksOptions, runClicks } from "./run-clicks.ts";
import { variantNames } from "./variants.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-clicks-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Two epochs, so that there is something to answer. */
const dbc = { batch: 32, pretrainEpochs: 1, overClusteringEpochs: 0, epochs: 2, autoEncoders: 1, restarts: 1 };

/** What was decided is all that it learns. */
const learnNothing: Refine = async (images, _, { decided }) => {
  expect(images).not.toHaveProperty("labels");
  return { assignments: renumbered(decided.cluster, clusterNumbers(decided)), settings: { epochs: 0 } };
};

const cellOf = (variant: ClicksCell["variant"]): ClicksCell => ({ dataset: "shapes", variant, seed: 0 });

async function run(out: string, options: Partial<ClicksOptions> = {}): Promise<ClicksEvent[]> {
  const events: ClicksEvent[] = [];
  await runClicks({
    ...{ out: join(folder, out), sets: ["shapes"], seeds: [0], answers: [0, 10, 25], threads: 1, dbc },
    open: async () => shapeDataset(120),
    refine: learnNothing,
    clock: () => 0,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return events;
}

const measured = (out: string) =>
  variantNames.map((variant) => {
    const record = readClicks(join(folder, out), cellOf(variant));
    return { points: record?.points, answers: record?.answers };
  });

test("every variant is measured after each number of answers, and reported", async () => {
  const events = await run("whole");
  expect(events.filter(({ kind }) => kind === "failed")).toEqual([]);
  const [asked] = measured("whole");
  expect(asked.points?.map(({ answers, given }) => [answers, given])).toEqual([
    [0, 0],
    [10, 10],
    [25, 25],
  ]);
  expect(asked.answers).toHaveLength(25);
  expect(Object.keys(asked.points?.[1].comparisons ?? {})).toEqual(["label propagation", "constrained k-means"]);
  const names = ["cells", "clicks.json", "clicks.md", "runs", "shapes.svg"];
  expect(readdirSync(join(folder, "whole")).sort()).toEqual(names);
  expect(readFileSync(join(folder, "whole", "clicks.md"), "utf8")).toContain(
    "| ACC | ask | ask, a tenth wrong | random |",
  );
  expect(existsSync(join(folder, "whole", "runs", "shapes.seed0", "run.json"))).toBe(true);
});

test("stopped at any place, it goes on to the same result", async () => {
  const out = "stopped";
  cpSync(join(folder, "whole", "runs"), join(folder, out, "runs"), { recursive: true });
  const abort = new AbortController();
  let refinements = 0;
  const stopping: Refine = (...given) => {
    if (++refinements === 4) abort.abort();
    return learnNothing(...given);
  };
  await expect(run(out, { signal: abort.signal, refine: stopping })).rejects.toThrow("aborted");
  expect(readClicks(join(folder, out), cellOf("random"))).toBeUndefined();
  // First to fewer answers than were wanted.
  await run(out, { answers: [0, 10] });
  await run(out);
  expect(measured(out)).toEqual(measured("whole"));
  expect((await run(out)).map(({ kind }) => kind)).toEqual(["run", "kept", "kept", "kept"]);
});

test("what was made otherwise is refused in one line, and kept", async () => {
  const failures = async (options: Partial<ClicksOptions>) =>
    (await run("whole", options)).flatMap((event) => (event.kind === "failed" ? [event.failure] : []));
  expect(await failures({ answers: [0, 20] })).toEqual([
    expect.stringMatching(/shapes\.ask\.seed0\.json: it was made with other numbers of answers; delete it, or/),
  ]);
  expect(await failures({ dbc: { ...dbc, epochs: 3 } })).toEqual([
    expect.stringMatching(/shapes\.seed0: this run was made with other epochs; delete it, or/),
  ]);
  expect(await failures({ open: async () => shapeDataset(120, 1) })).toEqual([
    expect.stringMatching(/shapes\.seed0: this run was made with other images; delete it, or/),
  ]);
  await expect(run("whole", { answers: [10, 0] })).rejects.toThrow('in ascending order, not "10,0"');
});
