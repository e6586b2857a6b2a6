import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { shapeDataset } from "../../test/shapes.ts";
import { factors, paperFactors, runAblation } from "./ablation.ts";
import { expectLabelled } from "./labelled-dataset.ts";

const out = mkdtempSync(join(tmpdir(), "ablation-"));
afterAll(() => rmSync(out, { recursive: true }));

const dataset = expectLabelled(shapeDataset(48), "shapes");
const dbc = { batch: 16, pretrainEpochs: 2, epochs: 3, restarts: 3 };

test("a study has one curve per variant of the paper, from start to end", async () => {
  for (const factor of paperFactors) {
    const records = await runAblation(dataset, factor, { out, dbc });
    expect(records.map(({ variant }) => variant)).toEqual(factors[factor].map(({ name }) => name));
    for (const { curve, metrics } of records) {
      expect(curve.map(({ epoch }) => epoch)).toEqual(curve.map((_, index) => index));
      expect(curve.at(-1)).toMatchObject({ acc: metrics.acc, nmi: metrics.nmi });
    }
    for (const quantity of ["acc", "nmi"]) {
      const svg = readFileSync(join(out, `shapes.${factor}.${quantity}.svg`), "utf8");
      for (const { name } of factors[factor]) expect(svg).toContain(name);
    }
  }
});

test("a set that was opened by its path is known by its name, and leaves no folders behind", async () => {
  const folder = join(out, "by-path");
  const opened = { ...dataset, name: join("pictures", "shapes") };
  const [record] = await runAblation(opened, "alpha", { out: folder, dbc });
  expect(record.dataset.name).toBe("shapes");
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(["shapes.alpha.1.json", "shapes.alpha.acc.svg"]));
  expect(readdirSync(folder)).not.toContain("pictures");
});

test("variants differ only in their factor", async () => {
  for (const factor of paperFactors) {
    const records = await runAblation(dataset, factor, { out, dbc });
    const without = records.map(({ settings }) => ({ ...settings, [factor]: undefined }));
    expect(new Set(records.map(({ settings }) => JSON.stringify(settings[factor]))).size).toBe(3);
    for (const settings of without) expect(settings).toEqual(without[0]);
  }
});

test("finished variants are kept; a stopped one continues to the same result", async () => {
  const states: string[] = [];
  await runAblation(dataset, "alpha", { out, dbc, onVariant: (_, state) => states.push(state) });
  expect(states).toEqual(["kept", "kept", "kept"]);
  const again = join(out, "again");
  const abort = new AbortController();
  const stopped = runAblation(dataset, "alpha", {
    out: again,
    dbc,
    signal: abort.signal,
    onProgress: (event) => {
      if (event.kind === "epoch" && event.stage === "clustering") abort.abort();
    },
  });
  await expect(stopped).rejects.toThrow("aborted");
  expect(readdirSync(again)).toContain("shapes.alpha.1.partial");
  const [resumed] = await runAblation(dataset, "alpha", { out: again, dbc });
  const [whole] = await runAblation(dataset, "alpha", { out, dbc });
  expect(resumed.curve).toEqual(whole.curve);
  expect(existsSync(join(again, "shapes.alpha.1.partial"))).toBe(false);
});

test("variants with different settings are not combined", async () => {
  await expect(runAblation(dataset, "alpha", { out, dbc: { ...dbc, epochs: 2 } })).rejects.toThrow(
    /shapes\.alpha\.1\.json: it was made with other epochs; delete it, or set out to another folder/,
  );
});
