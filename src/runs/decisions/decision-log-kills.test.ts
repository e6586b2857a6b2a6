import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundled } from "../../../test/bundled.ts";
import { modelOf, writeModelRun } from "../../../test/decided-model.ts";
import { killedAfter } from "../../../test/killed.ts";
import { Random } from "../../numeric/random.ts";
import { DecisionLog } from "./decision-log.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-kills-"));
let child: Awaited<ReturnType<typeof bundled>>;

beforeAll(async () => {
  child = await bundled("deciding-child.ts");
});

afterAll(() => {
  for (const made of [folder, child.folder]) rmSync(made, { recursive: true });
});

/** Processes that decide at the same time, each about a run of its own, and kills of each. */
const lanes = 4;
const kills = 50;

async function decideAndDie(lane: number): Promise<void> {
  const run = writeModelRun(join(folder, String(lane)), modelOf(4, 2));
  const random = new Random(lane, "kills");
  let before = 0;
  for (let kill = 0; kill < kills; kill++) {
    const written = await killedAfter(child.script, [run], random.integer(8));
    const acknowledged = written.split("\n").slice(0, -1).map(Number);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged).toEqual(acknowledged.map((_, index) => acknowledged[0] + index));
    expect(acknowledged[0]).toBe(before + 1);
    const { decisions } = await DecisionLog.open(run);
    const names = decisions.map((decision) => (decision.kind === "rename" ? Number(decision.name) : Number.NaN));
    expect(names).toEqual(names.map((_, index) => index + 1));
    expect(names.length - (acknowledged.at(-1) ?? 0)).toBeGreaterThanOrEqual(0);
    before = names.length;
  }
}

test("200 kills: every decision that was acknowledged is there, none twice", async () => {
  await Promise.all(Array.from({ length: lanes }, (_, lane) => decideAndDie(lane)));
}, 240_000);
