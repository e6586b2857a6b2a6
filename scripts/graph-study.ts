/**
 * How much the rules of the neighbour graph matter: the clusters that stage I of the boosted preset finds, with each rule
 * as it is, times 1.5 and divided by it, and without the say of sizes. Images that are undecided before stage II count as
 * wrong.
 *
 * npx tsx scripts/graph-study.ts SET[=LABELS] … [--seeds 1] [--data-folder DIR] [--threads 1] [--features DIR]
 * A set is whatever `cluster` takes; LABELS is a file, for sets without labels of their own. Features are kept in
 * `--features` (default: runs/graph-study), so that another look, or a study that was interrupted, trains nothing twice.
 */
import { parseArgs } from "node:util";
import { type GraphRules, graphRules, neighboursFor } from "../src/clustering/graph-clusters.ts";
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

const factors = { "× 1.5": 1.5, "÷ 1.5": 1 / 1.5 };

/** The rules for so many images in k clusters, and with each of them times each factor. */
function variants(count: number, k: number): Readonly<Record<string, GraphRules>> {
  const rules = { neighbours: neighboursFor(count, k), ...graphRules };
  const entries = Object.entries(rules).flatMap(([rule, value]) =>
    Object.entries(factors).map(([name, factor]): [string, GraphRules] => [
      `${rule} ${name}`,
      { [rule]: rule === "neighbours" ? Math.round(factor * value) : factor * value },
    ]),
  );
  return { "as it is": {}, ...Object.fromEntries(entries), "sizeWeight 0": { sizeWeight: 0 } };
}

const names = Object.keys(variants(1, 1));
console.log(`| | ${names.join(" | ")} |\n|---|${"---|".repeat(names.length)}`);
for (const argument of positionals) {
  const { name, images, truth, k } = await openLabelled(argument, values["data-folder"]);
  for (let seed = 0; seed < Number(values.seeds); seed++) {
    const Z = await stageOneFeatures(name, images, { k, seed, threads, folder: values.features });
    const cells: string[] = [];
    for (const rules of Object.values(variants(images.count, k)))
      cells.push(await quality(Z, truth, { k, threads, ...rules }));
    console.log(`| ${name}, seed ${seed} | ${cells.join(" | ")} |`);
  }
}
