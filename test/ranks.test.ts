/** Several ranks on this machine, as a cluster has them on several: Debian's Open MPI, one thread each. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeNpy } from "../src/files/npy.ts";
import { loadRun, readAssignments } from "../src/runs/run-folder.ts";
import { boostcluster } from "./command-line.ts";
import { allImages } from "./datasets.ts";
import { relativeError } from "./evaluate.ts";
import { mpiInstalled, mpirun, onRank, processesWith } from "./mpirun.ts";
import { shapeDataset } from "./shapes.ts";

if (!mpiInstalled) console.warn("no ranks were tested: install Debian's openmpi-bin and libopenmpi3");
const withRanks = test.runIf(mpiInstalled);

const folder = mkdtempSync(join(tmpdir(), "boostcluster-ranks-"));
const here = { cwd: folder };

function writeShapes(name: string, seed: number): void {
  const shapes = shapeDataset(96, seed);
  writeNpy(join(folder, name), allImages(shapes), [shapes.count, shapes.image.height, shapes.image.width]);
}

beforeAll(() => {
  writeShapes("shapes.npy", 0);
  writeShapes("others.npy", 1);
});
afterAll(() => rmSync(folder, { recursive: true }));

const shared = ["-k", "4", "--threads", "1", "--no-report"];
const paper = ["--preset", "paper", "--pretrain-epochs", "1", "--epochs", "1", "--batch", "16", "--restarts", "2"];
const boosted = [
  ...["--pretrain-epochs", "1", "--over-clustering-epochs", "0", "--epochs", "2"],
  ...["--batches", "3", "--batch", "16", "--restarts", "2"],
];
const autoEncoder = ["--method", "fcae-kms", "--pretrain-epochs", "12", "--batch", "16", "--restarts", "2"];

const clusterWords = (out: string, options: readonly string[], source = "shapes.npy"): readonly string[] => [
  ...["cluster", source, "--out", out],
  ...shared,
  ...options,
];

const runOf = (out: string) => loadRun(join(folder, out));
const clustersOf = (out: string): readonly number[] => readAssignments(join(folder, out)).map(({ cluster }) => cluster);
const files = ["weights.safetensors", "features.npy", "assignments.csv", "model.onnx"];
const bytesOf = (out: string): readonly Buffer[] => files.map((file) => readFileSync(join(folder, out, file)));

withRanks("4 ranks compute, but for rounding, what one process does in 4 parts", async () => {
  const { status, stderr } = await mpirun(4, clusterWords("ranks-4", paper), here);
  expect(status, stderr).toBe(0);
  expect(boostcluster(clusterWords("parts-4", [...paper, "--parts", "4"]), here).status).toBe(0);
  const [ranks, parts] = [runOf("ranks-4"), runOf("parts-4")];
  expect(ranks.record.settings.parts).toBe(4);
  expect(relativeError(ranks.trained.parameters, parts.trained.parameters)).toBeLessThan(1e-4);
  expect(relativeError(ranks.trained.statistics, parts.trained.statistics)).toBeLessThan(1e-4);
  expect(ranks.record.history.map(({ loss }) => loss.toPrecision(4))).toEqual(
    parts.record.history.map(({ loss }) => loss.toPrecision(4)),
  );
  // A whole mini-batch is something else: the parts have statistics of their own.
  expect(boostcluster(clusterWords("whole", paper), here).status).toBe(0);
  expect(relativeError(runOf("whole").trained.parameters, parts.trained.parameters)).toBeGreaterThan(1e-2);
});

withRanks("2 ranks find with the boosted preset what 2 parts do, once told, and give the same bits twice", async () => {
  const { status, stderr, stdout } = await mpirun(2, clusterWords("ranks-2", boosted), here);
  expect(status, stderr).toBe(0);
  expect(stdout.match(/results: ranks-2/g)).toHaveLength(1);
  expect(stderr.match(/stage II, clustering, epoch 2 of 2/g)).toHaveLength(1);
  expect((await mpirun(2, clusterWords("again-2", boosted), here)).status).toBe(0);
  expect(bytesOf("again-2")).toEqual(bytesOf("ranks-2"));
  expect(boostcluster(clusterWords("parts-2", [...boosted, "--parts", "2"]), here).status).toBe(0);
  expect(clustersOf("parts-2")).toEqual(clustersOf("ranks-2"));
});

/** Rank 1 of the run `killed` ends without a word, soon after the first checkpoint. */
const killRank1 = onRank(
  1,
  `const { existsSync } = await import("node:fs");
   setInterval(() => existsSync("killed/checkpoint.safetensors") && process.kill(process.pid, "SIGKILL"), 5).unref();`,
);

withRanks("a rank that is killed ends all, and another number of ranks goes on from the last checkpoint", async () => {
  const { status, stderr } = await mpirun(4, clusterWords("killed", autoEncoder), { ...here, before: [killRank1] });
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/process rank 1 .*exited on signal 9/);
  expect(processesWith("--out killed")).toEqual([]);
  expect(existsSync(join(folder, "killed", "run.json"))).toBe(false);
  const resumed = await mpirun(2, clusterWords("killed", [...autoEncoder, "--resume"]), here);
  expect(resumed.status, resumed.stderr).toBe(0);
  expect(resumed.stderr).not.toContain("nothing to go on with");
  expect(resumed.stderr).not.toMatch(/epoch 1 of 12/);
  const { history, settings } = runOf("killed").record;
  expect(history.map(({ epoch }) => epoch)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  expect(settings.parts).toBe(2);
});

/** Rank 1 fails in the middle of a step. */
const failRank1 = onRank(
  1,
  `const { createRequire } = await import("node:module");
   const { InferenceSession } = createRequire(${JSON.stringify(import.meta.url)})("onnxruntime-node");
   const { create } = InferenceSession;
   let sessions = 0;
   InferenceSession.create = (...given) =>
     sessions++ < 2 ? create(...given) : Promise.reject(new Error("its memory is gone"));`,
);

withRanks("a rank that fails says so by its number, and all end", async () => {
  const { status, stderr } = await mpirun(2, clusterWords("failed", paper), { ...here, before: [failRank1] });
  expect(status).toBe(1);
  expect(stderr).toContain("boostcluster: rank 1: unexpected: its memory is gone");
  expect(processesWith("--out failed")).toEqual([]);
});

/** The disk of rank 0 is full when it writes a checkpoint. */
const fillDisk = onRank(
  0,
  `const { default: fs } = await import("node:fs");
   const { syncBuiltinESMExports } = await import("node:module");
   const { openSync } = fs;
   fs.openSync = (path, ...given) => {
     if (!String(path).includes("checkpoint")) return openSync(path, ...given);
     throw Object.assign(new Error("no space"), { code: "ENOSPC" });
   };
   syncBuiltinESMExports();`,
);

withRanks("a full disk on rank 0 ends all, and is told once", async () => {
  const { status, stderr } = await mpirun(2, clusterWords("full", paper), { ...here, before: [fillDisk] });
  expect(status).toBe(2);
  expect(stderr.match(/^boostcluster: cannot write .*: the disk is full; free some space/gm)).toHaveLength(1);
  expect(processesWith("--out full")).toEqual([]);
});

withRanks("ranks with other options or other images refuse to begin, and say which", async () => {
  const seeds = ["0", "1"].map((seed) => clusterWords("mixed", [...paper, "--seed", seed]));
  const options = await mpirun(2, seeds, here);
  expect(options.status).toBe(2);
  expect(options.stderr).toContain("boostcluster: rank 1 differs from rank 0: --seed is 1 there and 0 here");
  const sources = ["shapes.npy", "others.npy"].map((source) => clusterWords("mixed", paper, source));
  const images = await mpirun(2, sources, here);
  expect(images.status).toBe(2);
  expect(images.stderr).toContain("boostcluster: rank 1 differs from rank 0: the hash of their pixels is");
  expect(existsSync(join(folder, "mixed"))).toBe(false);
});

withRanks("other commands and methods that cannot share their work say so once", async () => {
  const predict = await mpirun(2, ["predict", "nowhere", "shapes.npy"], here);
  expect(predict.status).toBe(2);
  expect(predict.stderr.match(/boostcluster: predict runs in one process; start it without mpirun/g)).toHaveLength(1);
});

/** As if mpirun had started this process and another one. */
const asRank0 = `data:text/javascript,${encodeURIComponent('process.env.OMPI_COMM_WORLD_SIZE = "2";')}`;
const withoutKoffi = `data:text/javascript,${encodeURIComponent(`
  import { register } from "node:module";
  const hook = 'export const resolve = (name, context, next) => { if (name === "koffi") throw new Error("no such package"); return next(name, context); }';
  register("data:text/javascript," + encodeURIComponent(hook));
`)}`;

test("without koffi, ranks are told what to install", () => {
  const { status, stderr } = boostcluster(clusterWords("alone", paper), { ...here, before: [asRank0, withoutKoffi] });
  expect(status).toBe(2);
  expect(stderr).toBe(
    'boostcluster: several ranks need the npm package "koffi", which is not here (no such package); run: npm install koffi\n',
  );
});
