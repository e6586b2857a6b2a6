/**
 * How much the thresholds, the steps and the groups of stage I matter: the clusters that it finds, with each of them as it
 * is, times 1.5 and divided by it, and the learning rate divided by 3. What changes nothing for a set is "=".
 * Images that are undecided before stage II count as wrong. Purity is the share of neighbours, in the features of all
 * encoders together, that are of the same class.
 *
 * npx tsx scripts/schedule-study.ts SET[=LABELS] … [--seed 0] [--data-folder DIR] [--threads 1] [--features DIR]
 * Features are kept in `--features` (default: runs/schedule-study), so that an interrupted study goes on where it was.
 */
import { parseArgs } from "node:util";
import { neighboursFor } from "../src/clustering/graph-clusters.ts";
import { nearestNeighbours } from "../src/clustering/neighbours.ts";
import type { Images } from "../src/images/dataset.ts";
import { defaultGroupsPerCluster } from "../src/methods/dbc/encoder-ensemble.ts";
import { autoEncodersFor, dbcSettings, smallClusters } from "../src/methods/dbc/options.ts";
import type { Matrix } from "../src/numeric/matrix.ts";
import { jointly, openLabelled, quality, type StageOneOptions, stageOneFeatures } from "./stage-one.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "0" },
    threads: { type: "string", default: "1" },
    features: { type: "string", default: "runs/schedule-study" },
    "data-folder": { type: "string" },
  },
});
const [seed, threads] = [Number(values.seed), Number(values.threads)];

const factors = { "× 1.5": 1.5, "÷ 1.5": 1 / 1.5 };

/** What each of them makes of the options, times each factor. */
function variants(images: Images, k: number): Readonly<Record<string, Partial<StageOneOptions>>> {
  const { pretrainEpochs, pretrainOptimizer, autoEncoders, overClusteringEpochs } = dbcSettings(images, { k });
  /** Where there is over-clustering at all. */
  const learned = (change: Partial<StageOneOptions>) => (overClusteringEpochs === 0 ? {} : change);
  const entries = Object.entries(factors).flatMap(([name, factor]): [string, Partial<StageOneOptions>][] => {
    const members = autoEncodersFor(images.count, k, factor * smallClusters);
    return [
      [`steps of stage I ${name}`, { pretrainEpochs: Math.round(factor * pretrainEpochs) }],
      [`small clusters ${name}`, members === autoEncoders ? {} : { autoEncoders: members }],
      [
        `steps of over-clustering ${name}`,
        learned({ overClusteringEpochs: Math.round(factor * overClusteringEpochs) }),
      ],
      [`groups per cluster ${name}`, learned({ groupsPerCluster: factor * defaultGroupsPerCluster })],
    ];
  });
  const slower = { pretrainOptimizer: { ...pretrainOptimizer, learningRate: pretrainOptimizer.learningRate / 3 } };
  return { "as it is": {}, "learning rate ÷ 3": slower, ...Object.fromEntries(entries) };
}

async function clustersWith(name: string, images: Images, options: StageOneOptions, truth: ArrayLike<number>) {
  const views = await stageOneFeatures(name, images, { ...options, folder: values.features });
  const { k } = options;
  const purity = await purityOf(jointly(views), truth, k);
  return `${await quality(views, truth, { k, threads })} | ${purity.toFixed(3)}`;
}

async function purityOf(Z: Matrix, truth: ArrayLike<number>, k: number): Promise<number> {
  const { indices, neighbours } = await nearestNeighbours(Z, { neighbours: neighboursFor(Z.rows, k), threads });
  const alike = indices.filter((other, edge) => truth[other] === truth[Math.floor(edge / neighbours)]);
  return alike.length / indices.length;
}

console.log("| | | ACC / NMI | purity |\n|---|---|---|---|");
for (const argument of positionals) {
  const { name, images, truth, k } = await openLabelled(argument, values["data-folder"]);
  for (const [variant, changed] of Object.entries(variants(images, k))) {
    const same = variant !== "as it is" && Object.keys(changed).length === 0;
    const key = `${name}.${JSON.stringify(changed).replace(/[^a-zA-Z0-9]+/g, "-")}`;
    const cell = same ? "= | =" : await clustersWith(key, images, { ...changed, k, seed, threads }, truth);
    console.log(`| ${name} | ${variant} | ${cell} |`);
  }
}
