/** What a run has learned, and how its images look to it: what refining and asking begin with. */
import { mostLandmarks, neighboursFor } from "../../clustering/graph-clusters.ts";
import { type NeighbourGraph, neighbourGraph } from "../../clustering/neighbour-graph.ts";
import { nearestNeighbours } from "../../clustering/neighbours.ts";
import { sessionOptions } from "../../engine/session.ts";
import { InputError } from "../../files/errors.ts";
import type { Images } from "../../images/dataset.ts";
import { shrunkDataset } from "../../images/shrunk-dataset.ts";
import { type Architecture, withoutShrinking } from "../../network/architecture.ts";
import { type Encoder, isEnsemble } from "../../network/ensemble.ts";
import { featureSize } from "../../network/shapes.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { type Matrix, matrix } from "../../numeric/matrix.ts";
import type { MethodOptions } from "../method.ts";
import { featuresOf, scoresOf } from "../training/features.ts";
import { sideBySide } from "./joint-features.ts";

/** What a run has learned. */
export interface Learned {
  readonly architecture: Encoder;
  readonly k: number;
  readonly v: number;
  /** θ and μ. */
  readonly trained: TrainedValues;
  /** What training began with, if anything. */
  readonly autoEncoder?: TrainedValues;
}

export interface SeenImages {
  /** As the network takes them. */
  readonly dataset: Images;
  readonly network: Architecture;
  /** Z of the trained network. */
  readonly features: Matrix;
  /** S, in the model's own clusters. */
  readonly scores: Float32Array;
  /** The auto-encoder's features and the trained network's, side by side; of a run without the first, the second. */
  readonly joint: Matrix;
  /** Of the joint features. */
  readonly graph: NeighbourGraph;
}

/** The images as the run sees them. */
export async function seeImages(
  images: Images,
  { architecture, k, v, trained, autoEncoder }: Learned,
  options: Omit<MethodOptions, "k">,
): Promise<SeenImages> {
  const whole = expectNetwork(architecture);
  if (images.count > mostLandmarks)
    throw new InputError(`${images.name}: at most ${mostLandmarks} images can be taught, not ${images.count}`);
  const network = withoutShrinking(whole);
  const dataset = shrunkDataset(images, whole.shrink ?? 1);
  const { features: values, scores } = await scoresOf(dataset, network, trained, { ...options, k, v });
  const features = matrix(values, featureSize(network), "features");
  const joint =
    autoEncoder === undefined
      ? features
      : sideBySide(await featuresOf(dataset, network, autoEncoder, { ...options, k }), features);
  const neighbours = neighboursFor(images.count, k);
  const { signal } = options;
  const graph = neighbourGraph(await nearestNeighbours(joint, { neighbours, signal, ...sessionOptions(options) }));
  return { dataset, network, features, scores, joint, graph };
}

/** Throws where there is nothing to train. */
export function expectNetwork(architecture: Encoder): Architecture {
  if (!isEnsemble(architecture) && architecture.layers.length > 0) return architecture;
  throw new InputError("only a run with a network can be refined; make one with the method dbc");
}
