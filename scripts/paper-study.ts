/**
 * What the paper's own method reaches over many seeds, in the ways that its text leaves open, and whether anything that
 * needs no labels tells good runs from bad ones.
 *
 * npx tsx scripts/paper-study.ts mnist-test --seeds 20 [--variants trained,random,…] [--threads 1]
 * Each run is a line of docs/results/paper-study/<dataset>.jsonl, so that an interrupted study goes on with what is missing; the
 * tables are printed. `--tables` only prints them.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { meanNormalizedCut } from "../src/clustering/normalized-cut.ts";
import { openDataset } from "../src/images/sources/open.ts";
import { fitDbc } from "../src/methods/dbc/dbc.ts";
import type { DbcOptions } from "../src/methods/dbc/options.ts";
import { pixelGraph } from "../src/methods/dbc/trials.ts";
import { evaluateClustering } from "../src/metrics/external.ts";
import { occurrences } from "../src/metrics/labels.ts";
import { versions } from "../src/runs/versions.ts";

/** What the text leaves open, one thing at a time; epochs are made up for where they are shorter. */
const variants: Readonly<Record<string, Partial<DbcOptions>>> = {
  trained: {},
  random: { initialization: "random" },
  "random, batch statistics": { initialization: "random", statistics: "batch" },
  "random, n_j = Σ r": { initialization: "random", balance: "targets" },
  "random, targets every 20 steps": { initialization: "random", batches: 20, epochs: 200 },
  "random, tanh": { initialization: "random", activation: "tanh" },
  "random, rate 1": { initialization: "random", optimizer: { kind: "sgd", learningRate: 1 } },
  // Equations (z) and (μ) sum over samples where we take the mean of a mini-batch, which has 256.
  "random, gradients summed": { initialization: "random", optimizer: { kind: "sgd", learningRate: 0.1 * 256 } },
  "random, tanh throughout, 200 epochs": {
    initialization: "random",
    activation: "tanh",
    featureActivation: "tanh",
    epochs: 200,
  },
  "trained, batch statistics": { statistics: "batch" },
  "trained, tanh": { activation: "tanh" },
};

/** What a run says of itself without labels; the lower, the better. */
const measures = ["kl", "reconstruction", "imbalance", "cut"] as const;

interface Run extends Readonly<Record<(typeof measures)[number], number | null>> {
  readonly variant: string;
  readonly seed: number;
  readonly acc: number;
  readonly nmi: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "20" },
    variants: { type: "string", default: "trained,random" },
    threads: { type: "string", default: "1" },
    out: { type: "string", default: "docs/results/paper-study" },
    tables: { type: "boolean", default: false },
  },
});
const [name = "mnist-test"] = positionals;
const file = join(values.out, `${name}.jsonl`);
const runs: Run[] = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];

/** 0 for clusters of one size. */
function imbalanceOf(sizes: ArrayLike<number>, count: number): number {
  const entropy = Array.from(sizes, (size) => (size === 0 ? 0 : -(size / count) * Math.log(size / count)));
  return Math.log(sizes.length) - entropy.reduce((sum, part) => sum + part, 0);
}

async function study(): Promise<void> {
  const { labels, ...images } = await openDataset(name);
  if (labels === undefined) throw new Error(`${name}: has no labels to measure by`);
  const threads = Number(values.threads);
  const k = labels.names.length;
  const graph = await pixelGraph(images, { k, threads });
  mkdirSync(values.out, { recursive: true });
  for (let seed = 0; seed < Number(values.seeds); seed++)
    for (const variant of values.variants.split(/,(?! )/)) {
      if (runs.some((run) => run.variant === variant && run.seed === seed)) continue;
      const start = performance.now();
      const options = { preset: "paper", ...variants[variant], k, seed, threads } as const;
      const { assignments, history, settings } = await fitDbc(images, options);
      const lossOf = (stage: string): number | null => history.findLast((entry) => entry.stage === stage)?.loss ?? null;
      const run = {
        ...{ variant, seed, ...evaluateClustering(labels.values, assignments) },
        kl: lossOf("clustering"),
        reconstruction: lossOf("auto-encoder"),
        imbalance: imbalanceOf(occurrences(assignments, k), images.count),
        cut: meanNormalizedCut(graph, assignments, k),
        ...{ seconds: (performance.now() - start) / 1000, settings, versions: versions() },
      };
      runs.push(run);
      appendFileSync(file, `${JSON.stringify(run)}\n`);
      console.error(`${variant}, seed ${seed}: ${run.acc.toFixed(4)} / ${run.nmi.toFixed(4)}`);
    }
}

const ranksOf = (numbers: readonly number[]): number[] => {
  const order = numbers.map((_, index) => index).sort((a, b) => numbers[a] - numbers[b]);
  const ranks = new Array<number>(numbers.length);
  order.forEach((index, rank) => {
    ranks[index] = rank;
  });
  return ranks;
};

/** Spearman's. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranksOf(a), ranksOf(b)];
  const squares = x.reduce((sum, rank, index) => sum + (rank - y[index]) ** 2, 0);
  return 1 - (6 * squares) / (a.length * (a.length ** 2 - 1));
}

const pair = ({ acc, nmi }: Run): string => `${acc.toFixed(3)} / ${nmi.toFixed(3)}`;

function tables(): string {
  const names = [...new Set(runs.map(({ variant }) => variant))];
  const spread = names.map((variant) => {
    const sorted = runs.filter((run) => run.variant === variant).sort((a, b) => a.acc - b.acc);
    const [worst, median, best] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted[sorted.length - 1]];
    return `| ${variant} | ${sorted.length} | ${[worst, median, best].map(pair).join(" | ")} |`;
  });
  const chosen = names.flatMap((variant) => {
    const own = runs.filter((run) => run.variant === variant);
    if (own.length < 5) return [];
    const cells = measures.map((measure) => {
      const known = own.flatMap((run) => (run[measure] === null ? [] : [{ run, value: run[measure] }]));
      if (known.length === 0) return "–";
      const rho = correlation(
        known.map(({ value }) => -value),
        known.map(({ run }) => run.acc),
      );
      return `${rho.toFixed(2)}, ${pair(known.reduce((a, b) => (b.value < a.value ? b : a)).run)}`;
    });
    return [`| ${variant} | ${cells.join(" | ")} |`];
  });
  return [
    "| | seeds | worst | median | best |",
    "|---|---|---|---|---|",
    ...spread,
    "",
    `| | ${measures.join(" | ")} |`,
    "|---|---|---|---|---|",
    ...chosen,
  ].join("\n");
}

if (!values.tables) await study();
console.log(tables());
