/**
 * Refinement: stage II goes on from the network of a run, with what people have decided. Known clusters are first spread
 * over the neighbour graph, so that a few answers speak for many images; what comes out are pseudo-labels. Algorithm 2
 * learns these, with the constraints as terms of its loss.
 */
import { clusterMeans } from "../../clustering/graph-clusters.ts";
import type { Images } from "../../images/dataset.ts";
import type { Matrix } from "../../numeric/matrix.ts";
import type { DecidedConstraints } from "../../runs/decisions/constraints.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { MethodOptions } from "../method.ts";
import { hardAssignments } from "../training/assignments.ts";
import { resolved } from "../training/common-options.ts";
import { fittedWith } from "../training/outcome.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import { algorithm2, type StageTwo } from "./algorithm-2.ts";
import { DrawnConstraints } from "./drawn-constraints.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { expectNetwork, type Learned, type SeenImages, seeImages, smoothingOf } from "./learned.ts";
import { smoothedFit } from "./neighbour-smoothing.ts";
import { dbcSettings } from "./options.ts";
import { PseudoLabels, warmUpThroughout } from "./pseudo-labels.ts";
import { clusterNumbers } from "./refined-clusters.ts";

export interface RefineOptions
  extends Omit<MethodOptions, "k" | "checkpoints" | "pretrained" | "snapshots" | "parts" | "collective"> {
  /** Epochs of stage II. Default: 6. */
  readonly epochs?: number;
  /** What `seeImages` gives, where it is at hand. */
  readonly seen?: SeenImages;
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
  const k = clusterNumbers(decided).size;
  const { epochs = 6, seen: given, ...common } = options;
  const schedule = { epochs, warmUpEpochs: epochs, pretrainEpochs: 0 };
  const settings = dbcSettings(dataset, {
    ...{ ...common, ...schedule, k, architecture, v: learned.v },
    smoothing: smoothingOf(learned),
  });
  const { batch, batches, alpha, balance, seed, augmentation, unaugmentedEpochs, finalLearningRate } = settings;
  const run = new ResumableRun();
  announce(common, [{ stage: "clustering", epochs, batches, batch }]);

  const seen = given ?? (await seeImages(dataset, learned, common));
  const evidence = evidenceOf(constraints, seen);
  const { labels, centres } = start(seen.features, evidence, constraints);
  const { network } = seen;
  const context = { dataset: seen.dataset, run, options: resolved({ ...common, k }, settings) };
  const stageTwo = () =>
    algorithm2(network, { encoder: learned.trained, centres }, settings, context, {
      // Alone to the end: what the network was sure of before anybody said otherwise would win over them.
      pseudoLabels: new PseudoLabels(labels, { k, alpha, balance, weight: 0, schedule: warmUpThroughout }),
      constraints: new DrawnConstraints(
        { ...constraints, known: evidence.known },
        { k, images: dataset.count, batch, batches, seed },
      ),
      ...{ augmentation, unaugmentedEpochs, finalLearningRate },
    });
  const { autoEncoder } = learned;
  const fittedOf = async ({ converged, ...trained }: StageTwo, known?: Int32Array): Promise<Fitted> => {
    const outcome = { method: "dbc", settings, architecture, v: settings.v, history: run.history, trained, converged };
    const whole = autoEncoder === undefined ? outcome : { ...outcome, autoEncoder };
    const fitted = await fittedWith(dataset, whole, context.options);
    const smoothing = { share: settings.smoothing, ...(known === undefined ? {} : { known }) };
    const autoEncoderFeatures = async () => seen.autoEncoderFeatures;
    return smoothedFit(fitted, { ...smoothing, autoEncoderFeatures }, context.options);
  };
  const asItWas = () => fittedOf({ ...learned.trained, converged: true });
  // A cluster that was made may have the number of one that was merged.
  const isSameClusters = k === learned.k && [...evidence.numbers].every(([cluster, number]) => cluster === number);
  if (isSameClusters && saysTheSame(labels, evidence, constraints)) return asItWas();
  const fitted = await fittedOf(await stageTwo(), evidence.known);
  return isSameClusters && goesWith(labels, fitted.assignments) < goesWith(labels, hardAssignments(evidence.said, k))
    ? asItWas()
    : fitted;
}

/** How many images are in the clusters that were to be learned. More before than after, and the old model stays. */
const goesWith = (labels: Int32Array, assignments: Int32Array): number =>
  labels.reduce((count, label, image) => count + Number(label === assignments[image]), 0);

/** Whether the model says already what is to be learned: then more training could only lose something. */
function saysTheSame(labels: Int32Array, { said, k }: Evidence, { together }: DecidedConstraints): boolean {
  const own = hardAssignments(said, k);
  return (
    labels.every((label, image) => label < 0 || label === own[image]) && together.every(([a, b]) => own[a] === own[b])
  );
}

/** Pseudo-labels, and the centres that go with them. */
function start(
  features: Matrix,
  { learned, known, k }: Evidence,
  { decided }: DecidedConstraints,
): { readonly labels: Int32Array; readonly centres: Float32Array } {
  const labels = hardAssignments(learned, k).map((label, image) => (known[image] >= 0 ? known[image] : label));
  // Of what is put aside nothing is learned.
  decided.cluster.forEach((cluster, image) => {
    if (cluster < 0) labels[image] = -1;
  });
  return { labels, centres: clusterMeans(features, labels, k).values };
}
