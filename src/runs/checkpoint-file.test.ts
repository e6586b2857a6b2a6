import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { InputError } from "../files/errors.ts";
import { writeSafetensors } from "../files/safetensors.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { fileCheckpoints } from "./checkpoint-file.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boostcluster-checkpoint-"));
  path = join(folder, "checkpoint.safetensors");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const checkpoint: Checkpoint = {
  notes: { stage: "clustering", step: 12, history: [{ loss: 0.1, metrics: { acc: 1 } }], nothing: null, ß: '"' },
  vectors: { z: Float32Array.of(1, Number.NaN, -0), empty: new Float32Array(0), a: new Float32Array(1000).fill(1 / 3) },
};

test("a checkpoint comes back as it was, and the last one wins", () => {
  const store = fileCheckpoints(path);
  expect(store.load()).toBeUndefined();
  store.save({ notes: {}, vectors: {} });
  expect(store.load()).toEqual({ notes: {}, vectors: {} });
  store.save(checkpoint);
  expect(fileCheckpoints(path).load()).toEqual(checkpoint);
  expect(readdirSync(folder)).toEqual(["checkpoint.safetensors"]);
});

test("any byte that changes, any cut and anything added is found, and what to do is said", () => {
  const store = fileCheckpoints(path);
  const small: Checkpoint = { notes: { step: 1 }, vectors: { a: Float32Array.of(1, 2), b: Float32Array.of(3) } };
  store.save(small);
  const whole = readFileSync(path);
  const expectDamaged = (bytes: Uint8Array) => {
    writeFileSync(path, bytes);
    expect(() => store.load()).toThrow(InputError);
    expect(() => store.load()).toThrow(/^[^\n]*checkpoint\.safetensors: [^\n]*; delete this checkpoint to start anew$/);
  };
  for (let position = 0; position < whole.length; position++) {
    const changed = Buffer.from(whole);
    changed[position] ^= 1;
    expectDamaged(changed);
  }
  for (let length = 0; length < whole.length; length++) expectDamaged(whole.subarray(0, length));
  expectDamaged(Buffer.concat([whole, Buffer.of(0)]));
  writeFileSync(path, whole);
  expect(store.load()).toEqual(small);
});

test("another safetensors file is no checkpoint", () => {
  writeSafetensors(path, { a: { shape: [1], values: Float32Array.of(1) } }, { format: "pt" });
  expect(() => fileCheckpoints(path).load()).toThrow(
    `${path}: it is no checkpoint of this version of boostcluster; delete this checkpoint to start anew`,
  );
});

test("a process killed while it saves leaves a whole checkpoint", async () => {
  const length = 2 ** 20;
  const script = `
    import { writeSync } from "node:fs";
    import { fileCheckpoints } from ${JSON.stringify(new URL("checkpoint-file.ts", import.meta.url).href)};
    const store = fileCheckpoints(${JSON.stringify(path)});
    for (let n = (store.load()?.notes.n ?? 0) + 1; ; n++) {
      store.save({ notes: { n }, vectors: { values: new Float32Array(${length}).fill(n) } });
      writeSync(1, "saved");
    }`;
  const unfinished = () => readdirSync(folder).filter((name) => name.endsWith(".tmp"));
  let before = 0;
  for (let round = 0; round < 4; round++) {
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    while (unfinished().length === 0) await new Promise(setImmediate);
    child.kill("SIGKILL");
    await once(child, "exit");
    for (const name of unfinished()) rmSync(join(folder, name));
    const { notes, vectors } = fileCheckpoints(path).load() ?? { notes: {}, vectors: {} };
    expect(Number(notes.n)).toBeGreaterThan(before);
    expect(vectors.values).toHaveLength(length);
    expect(vectors.values.every((value) => value === notes.n)).toBe(true);
    before = Number(notes.n);
  }
});
