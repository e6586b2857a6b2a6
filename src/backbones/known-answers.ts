/**
 * Whether a converted network computes what it should: the numbers that other software computes with the same weights
 * on one pattern, and the right names for some drawings.
 */
import { expectFloats, type Program } from "../engine/program.ts";
import { Session } from "../engine/session.ts";
import { drawingPixels, drawings } from "./drawings.ts";
import { imageSide } from "./layers.ts";

/**
 * Throws where the network is not what it should be. `reference` has the sums of every so many-th number of the
 * pattern's embedding, computed by TensorFlow.js or NumPy from the original files.
 */
export async function expectKnownAnswers(
  program: Program,
  reference: readonly number[],
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<void> {
  const session = await Session.open(program);
  try {
    const total = drawings.length + 1;
    const { embedding } = await session.run({ pixel_values: pattern() });
    expectNumbers(interleavedSums(expectFloats(embedding), reference.length), reference);
    onProgress(1, total);
    for (const [index, drawing] of drawings.entries()) {
      const { logits } = await session.run({ pixel_values: await drawingPixels(drawing) });
      const scores = expectFloats(logits);
      const best = scores.indexOf(scores.reduce((a, b) => Math.max(a, b)));
      if (best !== drawing.imageNetClass)
        throw new Error(`the converted network takes a drawing of a ${drawing.name} for ImageNet's class ${best}`);
      onProgress(index + 2, total);
    }
  } finally {
    await session.close();
  }
}

/** Waves and rings, different in each channel and along each side, so that swapping either is noticed. */
export function pattern(): Float32Array {
  const area = imageSide * imageSide;
  const middle = imageSide / 2;
  return Float32Array.from({ length: 3 * area }, (_, at) => {
    const [channel, y, x] = [Math.floor(at / area), Math.floor(at / imageSide) % imageSide, at % imageSide];
    const waves = (x * (channel + 1) + y * (3 - channel)) / 17;
    const rings = ((x - middle) ** 2 + (y - middle) ** 2) / 1500;
    return Math.round(255 * (0.5 + 0.5 * Math.sin(waves + rings))) / 255;
  });
}

function interleavedSums(values: Float32Array, count: number): number[] {
  const sums = new Array<number>(count).fill(0);
  values.forEach((value, index) => {
    sums[index % count] += value;
  });
  return sums;
}

/** Of the largest. Additions in another order make less than 1e-6; swapped channels or a wrong padding, over 1e-2. */
const tolerance = 1e-3;

function expectNumbers(found: readonly number[], reference: readonly number[]): void {
  const largest = Math.max(...reference.map(Math.abs));
  const difference = Math.max(...found.map((value, index) => Math.abs(value - reference[index])));
  if (!(difference <= tolerance * largest))
    throw new Error(`the converted network differs from the original by ${difference.toPrecision(3)}`);
}
