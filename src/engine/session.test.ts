import { expect, test } from "vitest";
import { encode } from "../graph/encode.ts";
import { add, multiply } from "../graph/operators/elementwise.ts";
import { matmul } from "../graph/operators/product.ts";
import { input } from "../graph/tensor.ts";
import { availableDevices } from "./device.ts";
import { Session } from "./session.ts";

/** total ← total + x, and twice x. */
function counter(length: number) {
  const [x, total] = [input("x", [length]), input("total", [length])];
  return encode({ twice: multiply(x, 2) }, { states: [{ input: total, next: add(total, x) }] });
}

test("a state goes from run to run in the session's own buffers", async () => {
  const session = await Session.open(counter(3));
  session.setState("total", Float32Array.of(10, 20, 30));
  for (let i = 0; i < 3; i++) await session.run({ x: Float32Array.of(1, 2, 3) });
  expect(session.state("total")).toEqual(Float32Array.of(13, 26, 39));
  const { twice } = await session.run({ x: Float32Array.of(5, 5, 5) });
  expect(twice).toEqual(Float32Array.of(10, 10, 10));
  expect(session.state("total")).toEqual(Float32Array.of(18, 31, 44));
  await session.close();
});

test("the same result on one thread as on two, to rounding, and bit for bit on the same number", async () => {
  const program = encode({ y: matmul(input("a", [64, 300]), input("b", [300, 50])) });
  const a = Float32Array.from({ length: 64 * 300 }, (_, i) => Math.sin(i));
  const b = Float32Array.from({ length: 300 * 50 }, (_, i) => Math.cos(i));
  const results = await Promise.all(
    [1, 2, 2].map(async (threads) => {
      const session = await Session.open(program, { threads });
      const { y } = await session.run({ a, b });
      return Array.from(y, Number);
    }),
  );
  expect(results[2]).toEqual(results[1]);
  results[0].forEach((value, index) => {
    expect(value).toBeCloseTo(results[1][index], 4);
  });
});

test("a free dimension takes its size from the values", async () => {
  const session = await Session.open(encode({ y: multiply(input("x", ["batch", 2]), 3) }));
  expect((await session.run({ x: Float32Array.of(1, 2) })).y).toHaveLength(2);
  expect((await session.run({ x: Float32Array.of(1, 2, 3, 4, 5, 6) })).y).toEqual(Float32Array.of(3, 6, 9, 12, 15, 18));
  await session.close();
});

test("what does not fit the program is refused in one line", async () => {
  const session = await Session.open(counter(3));
  const x = Float32Array.of(1, 2, 3);
  await expect(session.run({})).rejects.toThrow('input "x" [3] was not given');
  await expect(session.run({ x: Float32Array.of(1) })).rejects.toThrow(
    'input "x" has shape [3], which 1 values do not fill',
  );
  await expect(session.run({ x, y: x })).rejects.toThrow('the program has no input "y"; it takes: x');
  await expect(session.run({ x, total: x })).rejects.toThrow('the program has no input "total"; it takes: x');
  await expect(session.run({ x: Float64Array.of(1, 2, 3) })).rejects.toThrow(
    'input "x" takes float32 in a Float32Array, not a Float64Array',
  );
  expect(() => session.state("sum")).toThrow('the program has no state "sum"; it keeps: total');
  expect(() => session.setState("total", new Float32Array(2))).toThrow('state "total" has 3 values, not 2');
  await expect(Session.open(counter(3), { threads: 0 })).rejects.toThrow(
    "threads must be a whole number from 1, not 0",
  );
  await session.close();
});

test("a run must end before the next one begins", async () => {
  const session = await Session.open(counter(3));
  const x = Float32Array.of(1, 2, 3);
  const first = session.run({ x });
  await expect(session.run({ x })).rejects.toThrow("a session runs once at a time");
  await first;
  expect(session.state("total")).toEqual(x);
  await session.close();
});

test("a device that the platform lacks is an error that names those it has", async () => {
  const available = await availableDevices();
  expect(available).toContain("cpu");
  const lacking = (["dml", "coreml", "cuda", "webgpu"] as const).find((device) => !available.includes(device));
  if (lacking === undefined) throw new Error("no platform has all devices");
  await expect(Session.open(counter(3), { device: lacking })).rejects.toThrow(
    `device "${lacking}" is not available on ${process.platform}-${process.arch}; use one of: ${available.join(", ")}`,
  );
});
