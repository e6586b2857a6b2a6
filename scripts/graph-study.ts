/**
 * How much the rules of the neighbour graph matter: the clusters that stage I of the boosted preset finds, with each rule
 * as it is, times 1.5 and divided by it. Images that are undecided before stage II count as wrong.
 *
 * npx tsx scripts/graph-study.ts SET[=LABELS] … [--seeds 1] [--data-folder DIR] [--threads 1] [--features DIR]
 * A set is whatever `cluster` takes; LABELS is a file, for sets without labels of their own. Features are kept in
 * `--features` (default: runs/graph-study), so that another look, or a study that was interrupted, trains nothing twice.
 */
import { existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { type GraphRules, graphClusters, graphRules, neighboursFor } from "../src/clustering/graph-clusters.ts";
import { readNpyRows, writeNpy } from "../src/files/npy.ts";
import type { Images } from "../src/images/dataset.ts";
import { shrunkDataset } from "../src/images/shrunk-dataset.ts";
import { openDataset } from "../src/images/sources/open.ts";
import { trainEnsemble } from "../src/methods/dbc/encoder-ensemble.ts";
import { networkFor } from "../src/methods/dbc/fcae.ts";
import { jointFeatures, sideBySide } from "../src/methods/dbc/joint-features.ts";
import { dbcSettings } from "../src/methods/dbc/options.ts";
import { resolved } from "../src/methods/training/common-options.ts";
import { ResumableRun } from "../src/methods/training/resumable-run.ts";
import { evaluateClustering } from "../src/metrics/external.ts";
import { withoutShrinking } from "../src/network/architecture.ts";
import { type Matrix, matrix } from "../src/numeric/matrix.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "1" },
    threads: { type: "string", default: "1" },
    features: { type: "string", default: "runs/graph-study" },
    "data-folder": { type: "string" },
  },
});
const threads = Number(values.threads);

const factors = [1.5, 1 / 1.5];

/** Each rule of so many images in k clusters, times each factor. */
function variants(count: number, k: number): readonly GraphRules[] {
  const neighbours = factors.map((factor) => ({ neighbours: Math.round(factor * neighboursFor(count, k)) }));
  const others = Object.entries(graphRules).flatMap(([rule, value]) =>
    factors.map((factor) => ({ [rule]: factor * value })),
  );
  return [...neighbours, ...others];
}

/** Z of stage I by each of its encoders, as the boosted preset has it. */
async function featuresOf(name: string, images: Images, options: { readonly k: number; readonly seed: number }) {
  const fileOf = (view: number): string => join(values.features, `${name}.seed${options.seed}.view${view}.npy`);
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
  const context = { dataset, run: new ResumableRun(), options: resolved({ ...options, threads }, settings) };
  const ensemble = { architecture, settings, findClusters: graphClusters, trial: 0 };
  const { encoders } = await trainEnsemble(ensemble, context, context);
  const { joint, views = [joint] } = await jointFeatures(dataset, architecture, encoders, { ...options, threads });
  mkdirSync(values.features, { recursive: true });
  for (const [view, { values: Z, rows, columns }] of views.entries()) writeNpy(fileOf(view), Z, [rows, columns]);
  return views;
}

async function row(views: readonly Matrix[], truth: ArrayLike<number>, k: number): Promise<string> {
  const Z = views.length === 1 ? views[0] : sideBySide(views);
  const cells: string[] = [];
  for (const rule of [{}, ...variants(Z.rows, k)]) {
    const { labels } = await graphClusters(Z, { k, threads, ...(views.length > 1 && { views }), ...rule });
    const { acc, nmi } = evaluateClustering(
      truth,
      labels.map((label) => (label < 0 ? k : label)),
    );
    cells.push(`${acc.toFixed(3)} / ${nmi.toFixed(3)}`);
  }
  return cells.join(" | ");
}

const names = ["neighbours", ...Object.keys(graphRules)].flatMap((rule) => [`${rule} × 1.5`, `${rule} ÷ 1.5`]);
console.log(`| | as it is | ${names.join(" | ")} |\n|---|---|${"---|".repeat(names.length)}`);
for (const argument of positionals) {
  const [set, file] = argument.split("=");
  const { labels, ...images } = await openDataset(set, { labels: file, dataFolder: values["data-folder"] });
  if (labels === undefined) throw new Error(`${set}: has no labels to measure by; give SET=LABELS`);
  const k = labels.names.length;
  for (let seed = 0; seed < Number(values.seeds); seed++) {
    const Z = await featuresOf(basename(set), images, { k, seed });
    console.log(`| ${basename(set)}, seed ${seed} | ${await row(Z, labels.values, k)} |`);
  }
}
