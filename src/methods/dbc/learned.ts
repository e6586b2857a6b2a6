/** What a run has learned, and how its images look to it: what refining and asking begin with. */
import { mostLandmarks } from "../../clustering/graph-clusters.ts";
import { InputError } from "../../files/errors.ts";
import type { Images } from "../../images/dataset.ts";
import { shrunkDataset } from "../../images/shrunk-dataset.ts";
import { type Architecture, withoutShrinking } from "../../network/architecture.ts";
import { type Encoder, isEnsemble } from "../../network/ensemble.ts";
import { featureSize } from "../../network/shapes.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { type Matrix, matrix } from "../../numeric/matrix.ts";
import type { Settings } from "../../runs/fitted.ts";
import type { MethodOptions } from "../method.ts";
import { featuresOf, scoresOf } from "../training/features.ts";
import { type JointGraph, jointGraph, smoothedScores } from "./neighbour-smoothing.ts";

/** What a run has learned. */
export interface Learned {
  readonly architecture: Encoder;
  readonly k: number;
  readonly v: number;
  /** θ and μ. */
  readonly trained: TrainedValues;
  /** What training began with, if anything. */
  readonly autoEncoder?: TrainedValues;
  /** How it was made. */
  readonly settings: Settings;
}

/** The share of an image's scores that comes from its neighbours; runs before version 0.6 had none. */
export const smoothingOf = ({ settings: { smoothing } }: Pick<Learned, "settings">): number =>
  typeof smoothing === "number" ? smoothing : 0;

export interface SeenImages extends JointGraph {
  /** As the network takes them. */
  readonly dataset: Images;
  readonly network: Architecture;
  /** Z of the trained network. */
  readonly features: Matrix;
  /** Those of the auto-encoder, if the run has one. */
  readonly autoEncoderFeatures: Matrix | undefined;
  /** S in the model's own clusters, smoothed as the run's are. */
  readonly scores: Float32Array;
}

/** The images as the run sees them. */
export async function seeImages(
  images: Images,
  learned: Learned,
  options: Omit<MethodOptions, "k">,
): Promise<SeenImages> {
  const { architecture, k, v, trained, autoEncoder } = learned;
  const whole = expectNetwork(architecture);
  if (images.count > mostLandmarks)
    throw new InputError(`${images.name}: at most ${mostLandmarks} images can be taught, not ${images.count}`);
  const network = withoutShrinking(whole);
  const dataset = shrunkDataset(images, whole.shrink ?? 1);
  const of = { ...options, k };
  const { features: values, scores } = await scoresOf(dataset, network, trained, { ...of, v });
  const features = matrix(values, featureSize(network), "features");
  const autoEncoderFeatures =
    autoEncoder === undefined ? undefined : await featuresOf(dataset, network, autoEncoder, of);
  const { joint, graph } = await jointGraph(autoEncoderFeatures, features, of);
  const smooth = smoothedScores(graph, scores, { k, share: smoothingOf(learned) });
  return { dataset, network, features, autoEncoderFeatures, joint, graph, scores: smooth };
}

/** Throws where there is nothing to train. */
export function expectNetwork(architecture: Encoder): Architecture {
  if (!isEnsemble(architecture) && architecture.layers.length > 0) return architecture;
  throw new InputError("only a run with a network can be refined; make one with the method dbc");
}
