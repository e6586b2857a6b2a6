/**
 * DCN: deep clustering network (Yang et al. 2017). Reconstruction plus the loss of k-means; after each step the batch is
 * assigned anew, and centres move with the samples they are given.
 */

import type { Clusters } from "../../clustering/clusters.ts";
import { expectFloats } from "../../engine/program.ts";
import { multiply } from "../../graph/operators/elementwise.ts";
import type { Images } from "../../images/dataset.ts";
import { withShrinking } from "../../network/architecture.ts";
import { featureSize } from "../../network/shapes.ts";
import { gatherRows } from "../../numeric/matrix.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { Method, MethodOptions } from "../method.ts";
import type { OptionsOf, OptionTable } from "../options.ts";
import { clusterNotes } from "../training/assignments.ts";
import { epochsOption, optimizerOption, resolved, settingsFor, weightOption } from "../training/common-options.ts";
import { initialClustersOf } from "../training/initial-clusters.ts";
import { fittedWith, withCentres } from "../training/outcome.ts";
import { expectOneProcess } from "../training/parts.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import type { Epoch, TrainingContext } from "../training/training-loop.ts";
import { daeNetwork, epochsOfSteps, plannedDense, seenBy, trainDae, undividedOptions } from "./dae.ts";
import { jointTraining, trainJointly } from "./joint-training.ts";
import { OnlineCentres } from "./online-centres.ts";
import { compactness } from "./penalties.ts";

export const dcnOptions = {
  ...undividedOptions,
  epochs: { ...epochsOption, default: epochsOfSteps(50, 2000) },
  weight: { ...weightOption, default: 1 },
  optimizer: { ...optimizerOption, default: { kind: "adam", learningRate: 1e-4 } },
} as const satisfies OptionTable;

export interface DcnOptions extends MethodOptions, OptionsOf<typeof dcnOptions> {}

/** The options, checked and with their defaults. */
export function dcnSettings(dataset: Images, options: DcnOptions) {
  expectOneProcess("dcn", "its centres move with one image after another", options);
  return settingsFor(dcnOptions, dataset, options);
}

export async function fitDcn(dataset: Images, options: DcnOptions): Promise<Fitted> {
  const settings = dcnSettings(dataset, options);
  const { k, epochs, batch, seed, weight, optimizer } = settings;
  const { seen, shrink } = seenBy(dataset, settings);
  const context = {
    dataset: seen,
    run: new ResumableRun(options.checkpoints, options.collective),
    options: resolved(options, settings),
  };
  const network = daeNetwork(seen, settings.units, options);
  announce(options, plannedDense(settings, dataset, { epochs }));
  const dae = await trainDae(network, settings, context);
  const d = featureSize(network);
  const clusters = await startingClusters(k, await initialClustersOf(network, dae, context), context);
  const joint = await trainJointly(
    network,
    dae,
    {
      epochs,
      seed,
      batch,
      optimizer,
      penalty: (z) => multiply(compactness(z), weight),
      featuresAfter: true,
      prepare: async () => epochOf(clusters, d, batch, context),
    },
    context,
  );
  const architecture = withShrinking(network, shrink);
  const trained = withCentres(network, joint, clusters.online.centres);
  const { history } = context.run;
  const outcome = { method: "dcn", settings, architecture, trained, autoEncoder: joint, history };
  // It trains as long as it was told to, and does not look whether clusters settle.
  return fittedWith(dataset, { ...outcome, converged: false }, options);
}

/** What DCN keeps of the clusters while it trains. */
interface OnlineClusters {
  readonly online: OnlineCentres;
  /** The cluster of each image, when it was last in a batch. */
  readonly labels: Int32Array;
  /** The same at the start of the epoch before. */
  before: Int32Array | undefined;
}

async function startingClusters(k: number, initial: Clusters, { run }: TrainingContext): Promise<OnlineClusters> {
  const carried = run.unfinished(jointTraining)?.carried;
  if (carried === undefined)
    return { online: new OnlineCentres(initial.centres, k), labels: initial.labels, before: undefined };
  return {
    online: new OnlineCentres(carried.centres, carried.counts),
    labels: Int32Array.from(carried.labels),
    before: carried.before.length === 0 ? undefined : Int32Array.from(carried.before),
  };
}

function epochOf(clusters: OnlineClusters, d: number, batch: number, { options }: TrainingContext): Epoch {
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
    onStep: (indices, results) => {
      const features = expectFloats(results.features);
      indices.forEach((index, row) => {
        const z = features.subarray(row * d, (row + 1) * d);
        labels[index] = online.nearest(z);
        online.move(labels[index], z);
      });
    },
    clusters: notes,
    carried: () => ({
      centres: online.centres,
      counts: online.counts,
      labels: Float32Array.from(labels),
      before: Float32Array.from(clusters.before ?? []),
    }),
  };
}

export const dcn: Method<DcnOptions> = {
  name: "dcn",
  title: "DCN",
  summary: "an auto-encoder whose features are drawn to the centres of k-means while both are learned",
  reference: "Yang, Fu, Sidiropoulos, Hong: Towards K-means-friendly Spaces, 2017",
  goodFor: "features that stay faithful to the images and suit k-means",
  options: dcnOptions,
  settings: dcnSettings,
  fit: fitDcn,
};
