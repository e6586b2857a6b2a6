import { expect, test } from "vitest";
import { InputError } from "../files/errors.ts";
import { encode } from "../graph/encode.ts";
import { matmul } from "../graph/operators/product.ts";
import { input } from "../graph/tensor.ts";
import { BackgroundSession } from "./background-session.ts";
import { Session } from "./session.ts";

const size = 1024;
const a = input("a", [size, size]);
const square = encode({ product: matmul(a, a) });
const values = (): Float32Array => Float32Array.from({ length: size * size }, (_, at) => Math.sin(at));

test("results are those of a session, and the caller's own work goes on meanwhile", async () => {
  const [session, background] = [await Session.open(square), await BackgroundSession.open(square)];
  let [turns, running] = [0, true];
  const ownWork = (): void => {
    turns++;
    if (running) setImmediate(ownWork);
  };
  const results = background.run({ a: values() });
  ownWork();
  const [{ product }, { product: expected }] = [await results, await session.run({ a: values() })];
  running = false;
  expect(product.every((value, at) => value === expected[at])).toBe(true);
  // A run that blocks leaves one or two.
  expect(turns).toBeGreaterThan(10);
  await Promise.all([session.close(), background.close()]);
});

test("one run after another, and a run that fails does not end the session", async () => {
  const session = await BackgroundSession.open(square);
  await expect(session.run({ a: new Float32Array(3) })).rejects.toThrow(/input "a" has shape \[1024, 1024\]/);
  for (const factor of [1, 2]) {
    const { product } = await session.run({ a: new Float32Array(size * size).fill(factor) });
    expect(product[0]).toBe(factor * factor * size);
  }
  await session.close();
});

test("what is wrong with options or program is heard of", async () => {
  await expect(BackgroundSession.open(square, { threads: 0.5 })).rejects.toThrow(InputError);
  await expect(BackgroundSession.open(square, { device: "dml" })).rejects.toThrow(/device "dml" is not available/);
  await expect(BackgroundSession.open({ ...square, model: Uint8Array.of(1, 2, 3) })).rejects.toThrow();
});
