/**
 * How much the rules matter by which `boostcluster k` counts clusters: its answer with each rule as it is, times 1.5 and
 * divided by it.
 *
 * npx tsx scripts/count-study.ts SET[=LABELS] … [--seed 0] [--data-folder DIR] [--threads 1] [--out DIR]
 * The evidence for each k is kept in `--out` (default: runs/count-study), so that nothing is trained twice.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type CountEvidence, clearCount, countRules } from "../src/clustering/cluster-count.ts";
import type { Images } from "../src/images/dataset.ts";
import { estimateK } from "../src/methods/dbc/estimate-k.ts";
import { openLabelled } from "./stage-one.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "0" },
    threads: { type: "string", default: "1" },
    out: { type: "string", default: "runs/count-study" },
    "data-folder": { type: "string" },
  },
});
const [seed, threads] = [Number(values.seed), Number(values.threads)];

const variants = Object.entries(countRules).flatMap(([rule, value]) => [
  { name: `${rule} × 1.5`, rules: { ...countRules, [rule]: 1.5 * value } },
  { name: `${rule} ÷ 1.5`, rules: { ...countRules, [rule]: value / 1.5 } },
]);

async function evidenceOf(name: string, images: Images): Promise<readonly CountEvidence[]> {
  const file = join(values.out, `${name}.seed${seed}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const { evidence } = await estimateK(images, { seed, threads });
  mkdirSync(values.out, { recursive: true });
  writeFileSync(file, JSON.stringify(evidence));
  return evidence;
}

console.log(`| | true | as it is | ${variants.map(({ name }) => name).join(" | ")} |`);
console.log(`|---|---|---|${"---|".repeat(variants.length)}`);
for (const argument of positionals) {
  const { name, images, k } = await openLabelled(argument, values["data-folder"]);
  const evidence = await evidenceOf(name, images);
  const answers = [countRules, ...variants.map(({ rules }) => rules)].map(
    (rules) => clearCount(evidence, rules) ?? "–",
  );
  console.log(`| ${name} | ${k} | ${answers.join(" | ")} |`);
}
