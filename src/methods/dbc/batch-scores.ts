/**
 * S by the statistics of mini-batches, as the steps of an epoch see images, in place of running ones: what batch
 * normalization means where nobody keeps a running mean. The paper's text leaves it open.
 */
import { expectFloats } from "../../engine/program.ts";
import { alone, joined, ownRows } from "../../engine/ranks/collective.ts";
import { Session, sessionOptions } from "../../engine/session.ts";
import type { Images } from "../../images/dataset.ts";
import { pixelCount } from "../../images/image.ts";
import type { Architecture } from "../../network/architecture.ts";
import { batchScoringProgram } from "../../network/programs.ts";
import { featureSize } from "../../network/shapes.ts";
import { Random } from "../../numeric/random.ts";
import type { MethodOptions } from "../method.ts";
import type { EncodedDataset } from "../training/features.ts";

export const statisticsKinds = ["running", "batch"] as const;
export type StatisticsKind = (typeof statisticsKinds)[number];

export interface BatchScoreOptions extends MethodOptions {
  readonly v: number;
  /** Images per mini-batch. */
  readonly batch: number;
  readonly keepFeatures: boolean;
  /** Which images. Default: all of them. */
  readonly images?: Uint32Array | undefined;
}

/** In mini-batches at random, always the same ones; the last is filled up with images of the first. */
export async function batchScores(
  dataset: Images,
  architecture: Architecture,
  parameters: Float32Array,
  options: BatchScoreOptions,
): Promise<EncodedDataset> {
  const { k, v, batch, keepFeatures, images, seed = 0, signal, collective = alone } = options;
  const count = images?.length ?? dataset.count;
  const order = new Random(seed, "batch statistics").permutation(count);
  const { from, to } = ownRows(Math.ceil(count / batch), collective);
  const size = { features: keepFeatures ? featureSize(architecture) : 0, scores: k };
  const own = {
    features: new Float32Array((to - from) * batch * size.features),
    scores: new Float32Array((to - from) * batch * k),
  };
  const pixels = new Float32Array(batch * pixelCount(dataset.image));
  const session = await Session.open(batchScoringProgram(architecture, { batch, k, v }), sessionOptions(options));
  try {
    for (let number = from; number < to; number++) {
      signal?.throwIfAborted();
      const places = Uint32Array.from({ length: batch }, (_, place) => order[(number * batch + place) % count]);
      dataset.read(images === undefined ? places : places.map((place) => images[place]), pixels);
      const { features, scores } = await session.run({ parameters, images: pixels });
      if (keepFeatures) own.features.set(expectFloats(features), (number - from) * batch * size.features);
      own.scores.set(expectFloats(scores), (number - from) * batch * k);
    }
  } finally {
    await session.close();
  }
  return {
    features: inPlace(joined(own.features, collective), order, size.features),
    scores: inPlace(joined(own.scores, collective), order, k),
  };
}

/** Rows in the order of the permutation, back where they belong. */
function inPlace(rows: Float32Array, order: Uint32Array, columns: number): Float32Array {
  const target = new Float32Array(order.length * columns);
  order.forEach((place, index) => {
    target.set(rows.subarray(index * columns, (index + 1) * columns), place * columns);
  });
  return target;
}
