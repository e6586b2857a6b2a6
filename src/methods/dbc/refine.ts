/**
 * Refinement: stage II goes on from the network of a run, with what people have decided. Known clusters are first spread
 * over the neighbour graph, so that a few answers speak for many images; what comes out are pseudo-labels. Algorithm 2
 * learns these, with the constraints as terms of its loss.
 */
import { clusterMeans, neighboursFor } from "../../clustering/graph-clusters.ts";
import { spreadKnown } from "../../clustering/label-spreading.ts";
import { neighbourGraph } from "../../clustering/neighbour-graph.ts";
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
import type { DecidedConstraints } from "../../runs/decisions/constraints.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { MethodOptions } from "../method.ts";
import { hardAssignments } from "../training/assignments.ts";
import { resolved } from "../training/common-options.ts";
import { featuresOf, scoresOf } from "../training/features.ts";
import { fittedWith } from "../training/outcome.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import { algorithm2 } from "./algorithm-2.ts";
import { DrawnConstraints } from "./drawn-constraints.ts";
import { sideBySide } from "./joint-features.ts";
import { dbcSettings } from "./options.ts";
import { PseudoLabels, warmUpThroughout } from "./pseudo-labels.ts";
import { clusterNumbers, decidedScores, renumbered } from "./refined-clusters.ts";

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

export interface RefineOptions extends Omit<MethodOptions, "k" | "checkpoints" | "pretrained" | "snapshots"> {
  /** Epochs of stage II. Default: 6. */
  readonly epochs?: number;
}

/** The clusters of the result are those that were decided, by `clusterNumbers`. */
export async function refine(
  dataset: Images,
  learned: Learned,
  constraints: DecidedConstraints,
  options: RefineOptions = {},
): Promise<Fitted> {
  const { decided } = constraints;
  const architecture = expectNetwork(learned.architecture);
  const numbers = clusterNumbers(decided);
  const k = numbers.size;
  const { epochs = 6, ...common } = options;
  const schedule = { epochs, warmUpEpochs: epochs, pretrainEpochs: 0 };
  const settings = dbcSettings(dataset, { ...common, ...schedule, k, architecture, v: learned.v });
  const { batch, batches, alpha, balance, seed, augmentation, unaugmentedEpochs, finalLearningRate } = settings;
  const run = new ResumableRun();
  const seen = shrunkDataset(dataset, architecture.shrink ?? 1);
  const context = { dataset: seen, run, options: resolved({ ...common, k }, settings) };
  announce(common, [{ stage: "clustering", epochs, batches, batch }]);

  const network = withoutShrinking(architecture);
  const known = renumbered(constraints.known, numbers);
  const { labels, centres } = await start(
    seen,
    { ...learned, architecture: network },
    { known, numbers, constraints },
    context.options,
  );
  const stageTwo = await algorithm2(network, { encoder: learned.trained, centres }, settings, context, {
    // Alone to the end: what the network was sure of before anybody said otherwise would win over them.
    pseudoLabels: new PseudoLabels(labels, { k, alpha, balance, weight: 0, schedule: warmUpThroughout }),
    constraints: new DrawnConstraints({ ...constraints, known }, { k, batch, batches, seed }),
    ...{ augmentation, unaugmentedEpochs, finalLearningRate },
  });
  const { converged, ...trained } = stageTwo;
  const { autoEncoder } = learned;
  const outcome = { method: "dbc", settings, architecture, v: settings.v, history: run.history, trained, converged };
  return fittedWith(dataset, autoEncoder === undefined ? outcome : { ...outcome, autoEncoder }, context.options);
}

function expectNetwork(architecture: Encoder): Architecture {
  if (!isEnsemble(architecture) && architecture.layers.length > 0) return architecture;
  throw new InputError("only a run with a network can be refined; make one with the method dbc");
}

interface Said {
  readonly known: Int32Array;
  readonly numbers: ReadonlyMap<number, number>;
  readonly constraints: DecidedConstraints;
}

/** Pseudo-labels, and the centres that go with them. */
async function start(
  dataset: Images,
  { architecture, k: before, v, trained, autoEncoder }: Learned & { readonly architecture: Architecture },
  { known, numbers, constraints: { decided } }: Said,
  options: MethodOptions,
): Promise<{ readonly labels: Int32Array; readonly centres: Float32Array }> {
  const { k } = options;
  const { features: values, scores } = await scoresOf(dataset, architecture, trained, { ...options, k: before, v });
  const features = matrix(values, featureSize(architecture), "features");
  const linked =
    autoEncoder === undefined
      ? features
      : sideBySide(await featuresOf(dataset, architecture, autoEncoder, options), features);
  const labels = await spreadLabels(linked, decidedScores(scores, decided, numbers), known, options);
  // Of what is put aside nothing is learned.
  decided.cluster.forEach((cluster, image) => {
    if (cluster < 0) labels[image] = -1;
  });
  return { labels, centres: clusterMeans(features, labels, k).values };
}

async function spreadLabels(
  features: Matrix,
  scores: Float32Array,
  known: Int32Array,
  { k, signal, ...options }: MethodOptions,
): Promise<Int32Array> {
  const neighbours = neighboursFor(features.rows, k);
  const graph = neighbourGraph(await nearestNeighbours(features, { neighbours, signal, ...sessionOptions(options) }));
  const labels = hardAssignments(spreadKnown(graph, scores, known, { k }), k);
  return labels.map((label, image) => (known[image] >= 0 ? known[image] : label));
}
