/** Steps of the paper's networks on random images, and how long they take. */
import type { SharedOptions } from "../src/engine/ranks/collective.ts";
import { type Architecture, paperArchitecture } from "../src/network/architecture.ts";
import { createOptimizer } from "../src/network/optimizer.ts";
import { autoEncoderProgram, clusteringProgram } from "../src/network/programs.ts";
import { Trainer } from "../src/network/trainer.ts";
import { Random } from "../src/numeric/random.ts";

export const clusters: Readonly<Record<string, number>> = { mnist: 10, usps: 10, "coil-20": 20, "coil-100": 100 };

/** As many as the peer makes, and the median of as many. */
export async function medianSeconds(steps: number, step: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < steps; i++) {
    const start = performance.now();
    await step();
    times.push((performance.now() - start) / 1000);
  }
  const timed = times.slice(Math.floor(steps / 5) + 1).sort((a, b) => a - b);
  return timed[Math.floor(timed.length / 2)];
}

export function randomFloats(length: number): Float32Array {
  const random = new Random(0, "bench");
  return Float32Array.from({ length }, () => random.uniform());
}

/** A mini-batch of the network's usual size, and how many steps are measured. */
export function steppedImages(network: string) {
  const architecture = paperArchitecture(network);
  const { channels, height, width } = architecture.image;
  const small = height < 64;
  const batch = small ? 256 : 32;
  return { architecture, batch, images: randomFloats(batch * channels * height * width), steps: small ? 25 : 6 };
}

export interface StepOptions extends SharedOptions {
  /** Of a mini-batch. Default: 1. */
  readonly parts?: number;
  /** Those of them that this process takes. Default: 1. */
  readonly ownParts?: number;
}

export async function trainStep(
  architecture: Architecture,
  job: string,
  /** Images of a part. */
  batch: number,
  images: Float32Array,
  { parts = 1, ownParts = 1, ...options }: StepOptions,
) {
  const optimizer = createOptimizer({ kind: "adam" });
  const k = clusters[architecture.name];
  const dbc = job === "dbc";
  const program = dbc
    ? clusteringProgram(architecture, { batch, optimizer, k, parts })
    : autoEncoderProgram(architecture, { batch, optimizer, parts });
  const trainer = await Trainer.open(program, { optimizer, ...options });
  const targets = new Float32Array(batch * k).fill(1 / k);
  const part = dbc ? { images, targets } : { images };
  return () => trainer.advance(Array.from({ length: ownParts }, () => part));
}
