import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCheckpoints } from "../runs/run-checkpoints.ts";
import { timedCheckpoints } from "../runs/timed-checkpoints.ts";
import { sharedPretraining } from "./shared-pretraining.ts";

const trained = { parameters: Float32Array.of(1), statistics: Float32Array.of(2), history: [] };

test("the time of each auto-encoder counts once, both for the run that trained it and for the run that found it", () => {
  const out = mkdtempSync(join(tmpdir(), "boostcluster-"));
  try {
    let now = 0;
    const run = (name: string) => timedCheckpoints(runCheckpoints(join(out, name), {}), () => now * 1000);
    const pass = (seconds: number): void => {
      now += seconds;
    };
    const first = run("first");
    const store = sharedPretraining(out, first);
    expect(store.load("a")).toBeUndefined();
    pass(10);
    store.save("a", trained);
    pass(5);
    expect(store.load("b")).toBeUndefined();
    pass(7);
    first.save({ notes: {}, vectors: {} });

    // A killed run continues later; the time lost in between does not count.
    pass(1000);
    const resumed = run("first");
    const again = sharedPretraining(out, resumed);
    expect(again.load("b")).toBeUndefined();
    pass(13);
    again.save("b", trained);
    expect(resumed.seconds()).toBe(10 + 5 + 7 + 13);

    const second = run("second");
    const found = sharedPretraining(out, second);
    expect(found.load("a")).toEqual(trained);
    expect(second.seconds()).toBe(10);
    expect(found.load("b")).toEqual(trained);
    expect(second.seconds()).toBe(10 + 7 + 13);
  } finally {
    rmSync(out, { recursive: true });
  }
});
