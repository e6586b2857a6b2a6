/** Evaluates symbolic tensors, and compares numbers, for tests. */
import type { ElementArray } from "../src/engine/program.ts";
import { Session } from "../src/engine/session.ts";
import { encode } from "../src/graph/encode.ts";
import type { Tensor } from "../src/graph/tensor.ts";
import type { Random } from "../src/numeric/random.ts";

/** The values of `outputs`, by name; feeds that they do not depend on are ignored. */
export async function evaluate(
  outputs: Readonly<Record<string, Tensor>>,
  feeds: Readonly<Record<string, ElementArray>>,
): Promise<Record<string, number[]>> {
  const program = encode(outputs);
  const session = await Session.open(program);
  const needed = Object.fromEntries(Object.keys(program.inputs).map((name) => [name, feeds[name]]));
  try {
    const results = await session.run(needed);
    return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, Array.from(values, Number)]));
  } finally {
    await session.close();
  }
}

/** Uniform numbers from −1 to 1. */
export function randomValues(random: Random, length: number): Float32Array {
  return Float32Array.from({ length }, () => 2 * random.uniform() - 1);
}

/** The largest absolute difference, over the largest absolute value expected. */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length)
    throw new Error(`${actual.length} values where ${expected.length} are expected`);
  let difference = 0;
  let scale = 0;
  for (let i = 0; i < expected.length; i++) {
    difference = Math.max(difference, Math.abs(actual[i] - expected[i]));
    scale = Math.max(scale, Math.abs(expected[i]));
  }
  return difference / scale;
}
