/**
 * How time, memory and ACC change from ten thousand images to a million: the boosted preset on augmented digits, from the
 * command to the report, and scikit-learn's MiniBatchKMeans on the same pixels, for scale.
 *
 * usage: npm run build && npm run bench:millions -- [--counts 10000,100000,1000000] [--folder DIR] [--threads N]
 * The images are made in DIR, and each result is a file there, so that what was interrupted goes on with what is missing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, "../dist/cli/main.js");

const { values: options } = parseArgs({
  options: {
    counts: { type: "string", default: "10000,100000,1000000" },
    folder: { type: "string", default: join(tmpdir(), "boostcluster-millions") },
    threads: { type: "string", default: String(availableParallelism()) },
  },
});
const { folder, threads } = options;

interface Measured {
  readonly seconds: number;
  readonly peakMegabytes: number;
  readonly acc: number;
}

interface Ours extends Measured {
  /** Without reading, structure, report. */
  readonly clusteringSeconds: number;
}

/** The standard output of a command that must not fail. */
function run(command: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  const { status, stdout } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
  return stdout;
}

/** What `measure` gives, unless an earlier run has left it. */
function once<Result>(name: string, measure: () => Result): Result {
  const file = join(folder, `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const result = measure();
  writeFileSync(file, `${JSON.stringify(result)}\n`);
  return result;
}

function imagesOf(count: number): { readonly images: string; readonly labels: string } {
  const name = join(folder, `digits-${count}`);
  const [images, labels] = [`${name}-images-idx3-ubyte`, `${name}-labels-idx1-ubyte`];
  if (!existsSync(images))
    run(process.execPath, [main, "data", "--augment", "mnist", "--count", String(count), "--out", name, "--json"]);
  return { images, labels };
}

function ours(count: number): Ours {
  const { images, labels } = imagesOf(count);
  const peak = join(folder, "peak.txt");
  const start = performance.now();
  const printed = run(
    process.execPath,
    [
      ...["--import", join(here, "peak-memory.mjs"), main, "cluster", images, "--labels", labels, "-k", "10"],
      ...["--threads", threads, "--out", join(folder, `run-${count}`), "--force", "--json"],
    ],
    { PEAK_MEMORY_FILE: peak },
  );
  const seconds = (performance.now() - start) / 1000;
  const { metrics, seconds: parts } = JSON.parse(printed);
  const peakMegabytes = Number(readFileSync(peak, "utf8"));
  return { seconds, clusteringSeconds: parts.clustering, peakMegabytes, acc: metrics.acc };
}

function peers(count: number): Measured {
  const { images, labels } = imagesOf(count);
  const script = join(here, "peers", "sklearn_peers.py");
  return JSON.parse(run("/usr/bin/python3", [script, "minibatch", images, labels, "10"], { OMP_NUM_THREADS: threads }));
}

const text = ({ seconds, peakMegabytes, acc }: Measured): string =>
  `${seconds < 100 ? seconds.toFixed(1) : seconds.toFixed(0)} s | ${(peakMegabytes / 1024).toFixed(2)} GB | ${acc.toFixed(4)}`;

mkdirSync(folder, { recursive: true });
console.log("| images | boosted, whole command | memory | ACC | MiniBatchKMeans | memory | ACC |");
console.log("|---|---|---|---|---|---|---|");
for (const count of options.counts.split(",").map(Number)) {
  const theirs = once(`minibatch-${count}`, () => peers(count));
  const our = once(`boosted-${count}`, () => ours(count));
  console.log(`| ${count.toLocaleString("en")} | ${text(our)} | ${text(theirs)} |`);
}
