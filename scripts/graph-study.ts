/**
 * How much the rules of the neighbour graph matter: the clusters that stage I of the boosted preset finds, with each rule
 * as it is, times 1.5 and divided by it. Images that are undecided before stage II count as wrong.
 *
 * npx tsx scripts/graph-study.ts SET[=LABELS] … [--seeds 1] [--data-folder DIR] [--threads 1] [--features DIR]
 * A set is whatever `cluster` takes; LABELS is a file, for sets without labels of their own. Features are kept in
 * `--features` (default: runs/graph-study), so that another look, or a study that was interrupted, trains nothing twice.
 */
import { parseArgs } from "node:util";
import { type GraphRules, graphRules, neighboursFor } from "../src/clustering/graph-clusters.ts";
import type { Matrix } from "../src/numeric/matrix.ts";
import { openLabelled, quality, stageOneFeatures } from "./stage-one.ts";

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

async function row(views: readonly Matrix[], truth: ArrayLike<number>, k: number): Promise<string> {
  const cells: string[] = [];
  for (const rule of [{}, ...variants(views[0].rows, k)])
    cells.push(await quality(views, truth, { k, threads, ...rule }));
  return cells.join(" | ");
}

const names = ["neighbours", ...Object.keys(graphRules)].flatMap((rule) => [`${rule} × 1.5`, `${rule} ÷ 1.5`]);
console.log(`| | as it is | ${names.join(" | ")} |\n|---|---|${"---|".repeat(names.length)}`);
for (const argument of positionals) {
  const { name, images, truth, k } = await openLabelled(argument, values["data-folder"]);
  for (let seed = 0; seed < Number(values.seeds); seed++) {
    const Z = await stageOneFeatures(name, images, { k, seed, threads, folder: values.features });
    console.log(`| ${name}, seed ${seed} | ${await row(Z, truth, k)} |`);
  }
}
