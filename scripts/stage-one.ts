/** What studies of stage I have in common: its features, kept so that nothing is trained twice, and how good clusters are. */
import { existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { ClusterOptions } from "../src/clustering/clusters.ts";
import { type GraphRules, graphClusters } from "../src/clustering/graph-clusters.ts";
import { readNpyRows, writeNpy } from "../src/files/npy.ts";
import type { Images } from "../src/images/dataset.ts";
import { shrunkDataset } from "../src/images/shrunk-dataset.ts";
import { openDataset } from "../src/images/sources/open.ts";
import { defaultGroupsPerCluster, type EnsembleTraining, trainEnsemble } from "../src/methods/dbc/encoder-ensemble.ts";
import { networkFor } from "../src/methods/dbc/fcae.ts";
import { jointFeatures, sideBySide } from "../src/methods/dbc/joint-features.ts";
import { type DbcOptions, dbcSettings } from "../src/methods/dbc/options.ts";
import { resolved } from "../src/methods/training/common-options.ts";
import { ResumableRun } from "../src/methods/training/resumable-run.ts";
import { evaluateClustering } from "../src/metrics/external.ts";
import { withoutShrinking } from "../src/network/architecture.ts";
import { type Matrix, matrix } from "../src/numeric/matrix.ts";

/** A set that `cluster` takes, or SET=LABELS for one without labels of its own. */
export async function openLabelled(argument: string, dataFolder: string | undefined) {
  const [set, file] = argument.split("=");
  const { labels, ...images } = await openDataset(set, { labels: file, dataFolder });
  if (labels === undefined) throw new Error(`${set}: has no labels to measure by; give SET=LABELS`);
  return { name: basename(set), images, truth: labels.values, k: labels.names.length };
}

/** Options of DBC, and what no option says. */
export type StageOneOptions = DbcOptions & Pick<EnsembleTraining, "groupsPerCluster">;

/**
 * Z of stage I by each of its encoders, as the boosted preset has it, but for the options given. They are kept in `folder`
 * under `name`, which tells them from those of other options.
 */
export async function stageOneFeatures(
  name: string,
  images: Images,
  { folder, groupsPerCluster = defaultGroupsPerCluster, ...options }: StageOneOptions & { readonly folder: string },
): Promise<readonly Matrix[]> {
  const fileOf = (view: number): string => join(folder, `${name}.seed${options.seed}.view${view}.npy`);
  const kept: Matrix[] = [];
  while (existsSync(fileOf(kept.length))) {
    const rows = readNpyRows(fileOf(kept.length), [...Array(images.count).keys()]);
    kept.push(matrix(rows, rows.length / images.count));
  }
  if (kept.length > 0) return kept;
  const settings = dbcSettings(images, options);
  const network = networkFor(images, { ...options, ...settings });
  const architecture = withoutShrinking(network);
  const dataset = shrunkDataset(images, network.shrink ?? 1);
  const context = { dataset, run: new ResumableRun(), options: resolved(options, settings) };
  const ensemble = { architecture, settings, findClusters: graphClusters, trial: 0, groupsPerCluster };
  const { encoders } = await trainEnsemble(ensemble, context, context);
  const { joint, views = [joint] } = await jointFeatures(dataset, architecture, encoders, options);
  mkdirSync(folder, { recursive: true });
  for (const [view, { values: Z, rows, columns }] of views.entries()) writeNpy(fileOf(view), Z, [rows, columns]);
  return views;
}

/** The features of all encoders together. */
export const jointly = (views: readonly Matrix[]): Matrix => (views.length === 1 ? views[0] : sideBySide(views));

/** ACC / NMI of the clusters that stage I finds in them; undecided images count as wrong. */
export async function quality(
  views: readonly Matrix[],
  truth: ArrayLike<number>,
  options: ClusterOptions & GraphRules,
): Promise<string> {
  const { k } = options;
  const { labels } = await graphClusters(jointly(views), { ...options, ...(views.length > 1 && { views }) });
  const { acc, nmi } = evaluateClustering(
    truth,
    labels.map((label) => (label < 0 ? k : label)),
  );
  return `${acc.toFixed(3)} / ${nmi.toFixed(3)}`;
}
