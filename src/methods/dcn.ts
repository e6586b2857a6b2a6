/**
 * DCN: deep clustering network (Yang et al. 2017). Reconstruction plus the loss of k-means; after each step the batch is
 * assigned anew, and centres move with the samples they are given.
 */
import { OnlineCentres } from "../clustering/online-centres.ts";
import { compactness } from "../clustering/penalties.ts";
import type { Images } from "../dataset.ts";
import { expectFloats } from "../engine/program.ts";
import { multiply } from "../graph/operators/elementwise.ts";
import type { Fitted } from "../model/fitted.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { featureSize } from "../network/shapes.ts";
import { Course } from "./course.ts";
import { type DaeOptions, daeNetwork, daeSettings, trainDae } from "./dae.ts";
import { fittedWith, initialClusters, withCentres } from "./feature-clusters.ts";
import { jointPhase, trainJointly } from "./joint-training.ts";
import type { Method } from "./method.ts";
import { clusterNotes, gatherRows } from "./rows.ts";
import { epochsOrSteps, expectCount, expectWeight } from "./settings.ts";
import type { Epoch, TrainingContext } from "./training.ts";

export interface DcnOptions extends DaeOptions {
  /** Epochs of reconstruction and k-means together. Default: 50, or 2,000 steps. */
  readonly epochs?: number;
  /** Of the loss of k-means; that of the reconstruction error ‖x − x̂‖² is 1. Default: 1. */
  readonly weight?: number;
  /** Of the epochs together. Default: Adam, learning rate 1e-4. */
  readonly optimizer?: OptimizerOptions;
}

/** The options, checked and with their defaults. */
export function dcnSettings(dataset: Images, options: DcnOptions) {
  const dae = daeSettings(dataset, options);
  const { epochs = epochsOrSteps(50, 2000, dataset, dae.batch), weight = 1 } = options;
  expectCount("epochs", epochs, 0);
  expectWeight("weight", weight);
  return { ...dae, epochs, weight, optimizer: createOptimizer(jointOptimizer(options)).settings };
}

const jointOptimizer = ({ optimizer = { kind: "adam", learningRate: 1e-4 } }: DcnOptions): OptimizerOptions =>
  optimizer;

export async function fitDcn(dataset: Images, options: DcnOptions): Promise<Fitted> {
  const settings = dcnSettings(dataset, options);
  const { k, epochs, batch, seed, weight } = settings;
  const context = { dataset, course: new Course(options.checkpoints), options };
  const architecture = daeNetwork(dataset, settings.units);
  const dae = await trainDae(architecture, settings, options, context);
  const d = featureSize(architecture);
  const clusters = await startingClusters(k, await initialClusters(architecture, dae, context), context);
  const joint = await trainJointly(
    architecture,
    dae,
    {
      epochs,
      seed,
      batch,
      optimizer: jointOptimizer(options),
      penalty: (z) => multiply(compactness(z), weight),
      featuresAfter: true,
      prepare: async () => epochOf(clusters, d, batch, context),
      carried: () => ({
        centres: clusters.online.centres,
        counts: clusters.online.counts,
        labels: Float32Array.from(clusters.labels),
        before: Float32Array.from(clusters.before ?? []),
      }),
    },
    context,
  );
  const trained = withCentres(architecture, joint, clusters.online.centres);
  const { history } = context.course;
  return fittedWith(dataset, { method: "dcn", settings, architecture, trained, autoEncoder: joint, history }, options);
}

/** What DCN keeps of the clusters while it trains. */
interface Clusters {
  readonly online: OnlineCentres;
  /** The cluster of each image, when it was last in a batch. */
  readonly labels: Int32Array;
  /** The same at the start of the epoch before. */
  before: Int32Array | undefined;
}

async function startingClusters(
  k: number,
  initial: { readonly centres: Float32Array; readonly labels: Int32Array },
  { course }: TrainingContext,
): Promise<Clusters> {
  const carried = course.opened(jointPhase)?.carried;
  if (carried === undefined)
    return { online: new OnlineCentres(initial.centres, k), labels: initial.labels, before: undefined };
  return {
    online: new OnlineCentres(carried.centres, carried.counts),
    labels: Int32Array.from(carried.labels),
    before: carried.before.length === 0 ? undefined : Int32Array.from(carried.before),
  };
}

function epochOf(clusters: Clusters, d: number, batch: number, { options }: TrainingContext): Epoch {
  const { online, labels } = clusters;
  const notes = clusterNotes(labels, clusters.before, options);
  clusters.before = labels.slice();
  const anchors = new Float32Array(batch * d);
  return {
    feeds: (indices) => ({
      anchors: gatherRows(
        online.centres,
        d,
        indices.map((index) => labels[index]),
        anchors,
      ),
    }),
    learned: (indices, results) => {
      const features = expectFloats(results.features);
      indices.forEach((index, row) => {
        const z = features.subarray(row * d, (row + 1) * d);
        labels[index] = online.nearest(z);
        online.move(labels[index], z);
      });
    },
    clusters: notes,
  };
}

export const dcn: Method<DcnOptions> = {
  name: "dcn",
  title: "DCN",
  summary: "an auto-encoder whose features are drawn to the centres of k-means while both are learned",
  reference: "Yang, Fu, Sidiropoulos, Hong: Towards K-means-friendly Spaces, 2017",
  goodFor: "features that stay faithful to the images and suit k-means",
  settings: dcnSettings,
  fit: fitDcn,
};
