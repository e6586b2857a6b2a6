/** A run through a backbone, from photographs to everything that is done with a run. */
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster, type Outcome, startBoostcluster } from "../../test/command-line.ts";
import { onnxModel } from "../../test/onnx-models.ts";
import { meansModel, stretched, tokensModel, writeColours, writeFiles } from "../../test/tiny-backbones.ts";
import { vectorsFolder } from "../images/sources/decoded-cache.ts";
import { prepareFile } from "../images/sources/prepared-file.ts";
import { readAssignments } from "../runs/run-folder.ts";
import { readRecord } from "../runs/run-record.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-backbone-runs-"));
const images = join(folder, "colours");
const backbone = join(folder, "tiny");
const cache = ["--cache-folder", join(folder, "cache")];
const run = join(folder, "run");
const wanted = ["cluster", images, "-k", "3", "--labels", "folders", ...cache];

function succeed(args: readonly string[], cwd = folder): Outcome {
  const outcome = boostcluster(args, { cwd });
  expect(outcome.status, outcome.stderr).toBe(0);
  return outcome;
}

const isSameFile = (a: string, b: string, name: string): boolean =>
  readFileSync(join(a, name)).equals(readFileSync(join(b, name)));

/** By their files; a vector that is computed is added to one. */
function keptVectors(): Readonly<Record<string, Buffer>> {
  const place = vectorsFolder(join(folder, "cache"));
  const files = readdirSync(place).filter((name) => name.endsWith(".vectors"));
  expect(files.length).toBeGreaterThan(0);
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(place, name))]));
}

beforeAll(async () => {
  await writeColours(images, 90);
  const description = { "preprocessor_config.json": stretched };
  writeFiles(backbone, { "onnx/model.onnx": onnxModel(meansModel("embedding")), ...description });
  writeFiles(join(folder, "other"), { "onnx/model.onnx": onnxModel(tokensModel({})), ...description });
  // A path that is short: what is noted must hold from elsewhere.
  succeed([...wanted, "--backbone", "tiny", "--out", run]);
});

afterAll(() => rmSync(folder, { recursive: true }));

test("the run finds the groups, and notes which backbone it was", () => {
  const { metrics, backbone: noted, settings, dataset, architecture } = readRecord(run);
  expect(metrics?.acc).toBe(1);
  expect(noted).toMatchObject({
    name: "tiny",
    output: "embedding",
    size: 3,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(settings.backbone).toBe(backbone);
  expect(dataset.image.channels).toBe(3);
  expect(architecture.image).toEqual({ channels: 3, height: 1, width: 1 });
  const told = succeed(["info", run]).stdout;
  expect(told).toContain(`tiny (embedding), SHA-256 ${noted?.hash}`);
});

test("model.onnx takes pixels and gives the scores of the run, in any ONNX Runtime", async () => {
  const { backbone: noted, k } = readRecord(run);
  if (noted === undefined) throw new Error("no backbone was noted");
  const { channels, height, width } = noted.image;
  const session = await InferenceSession.create(join(run, "model.onnx"));
  for (const { item, cluster, score } of readAssignments(run)) {
    const prepared = await prepareFile(join(images, item), noted.preparation);
    if ("reason" in prepared) throw new Error(prepared.reason);
    const pixels = Float32Array.from(prepared.result, (byte) => byte / 255);
    const { scores } = await session.run({ images: new Tensor("float32", pixels, [1, channels, height, width]) });
    expect(scores.dims).toEqual([1, k]);
    expect(Math.abs(Number(scores.data[cluster]) - score)).toBeLessThan(1e-4);
  }
  await session.release();
});

test("predict, report, export, organize and evaluate need no backbone any more", () => {
  const away = join(folder, "away");
  renameSync(backbone, away);
  try {
    const lines = succeed(["predict", run, images]).stdout.trimEnd().split("\n");
    const predicted = lines.map((line) => JSON.parse(line)).map(({ item, cluster }) => [item, cluster]);
    expect(predicted).toEqual(readAssignments(run).map(({ item, cluster }) => [join(images, item), cluster]));

    rmSync(join(run, "report.html"));
    succeed(["report", run, ...cache]);
    const report = readFileSync(join(run, "report.html"), "utf8");
    expect(report).toContain("90 colour images of 24 × 20 pixels, as tiny sees them, sorted into 3 clusters");
    expect(report).toContain("image = image.resize((8, 8), Image.BILINEAR)");
    expect(report).toContain("openRunModel");

    const described = succeed(["export", run, "--to", "onnx"]).stdout;
    expect(described).toContain("float32 [batch, 3, 8, 8]");
    expect(described).toContain("resize to 8x8 (bilinear), RGB, divide by 255");
    succeed(["export", run, "--to", "parquet", ...cache]);
    succeed(["export", run, "--to", "projector", ...cache]);
    expect(readdirSync(run)).toEqual(expect.arrayContaining(["clusters.onnx", "clusters.parquet", "projector"]));
    expect(readFileSync(join(run, "clusters.onnx")).equals(readFileSync(join(run, "model.onnx")))).toBe(true);

    succeed(["organize", run, "--out", join(folder, "sorted")]);
    expect(readdirSync(join(folder, "sorted"))).toHaveLength(3);
    expect(JSON.parse(succeed(["evaluate", run, "--labels", "folders", "--json"]).stdout).acc).toBe(1);
  } finally {
    renameSync(away, backbone);
  }
});

test("the report's command makes the same run again, from anywhere", () => {
  const page = readFileSync(join(run, "report.html"), "utf8");
  const [, words] = /<code>boostcluster (cluster [^<]*)<\/code>/.exec(page) ?? [];
  const again = join(folder, "again");
  succeed([...words.split(" "), ...cache, "--no-report", "--out", again], tmpdir());
  for (const file of ["model.onnx", "assignments.csv", "features.npy"])
    expect(isSameFile(run, again, file), file).toBe(true);
});

test("a killed run goes on to the very same bits, computes no vector twice, and with no other backbone", async () => {
  const killed = join(folder, "killed");
  const args = [...wanted, "--no-report", "--out", killed];
  const child = startBoostcluster([...args, "--backbone", backbone]);
  const watch = setInterval(() => existsSync(join(killed, "checkpoint.safetensors")) && child.kill("SIGKILL"), 2);
  const [, signal] = await once(child, "exit");
  clearInterval(watch);
  expect(signal).toBe("SIGKILL");

  const other = boostcluster([...args, "--resume", "--backbone", join(folder, "other")]);
  expect(other.status).toBe(2);
  expect(other.stderr.trimEnd().split("\n").at(-1)).toMatch(
    /killed: this run cannot go on: backbone was "tiny \(embedding\), SHA-256 \w+" and is "other \(last_hidden_state.*; use what it began with/,
  );
  const without = boostcluster([...args, "--resume", "--backbone", "none"]);
  expect(without.status).toBe(2);
  expect(without.stderr).toMatch(/backbone was "tiny .*" and is not given; use what it began with/);

  const kept = keptVectors();
  succeed([...args, "--resume", "--backbone", backbone]);
  expect(keptVectors()).toEqual(kept);
  for (const file of ["model.onnx", "assignments.csv", "features.npy"])
    expect(isSameFile(run, killed, file), file).toBe(true);
});

test("k and -k auto look through the backbone as well", () => {
  const told = succeed(["k", images, "--backbone", backbone, ...cache]);
  expect(told.stdout).toContain(`next: boostcluster cluster ${images} --backbone ${backbone} -k 3`);
  const out = join(folder, "auto");
  succeed(["cluster", images, "-k", "auto", "--backbone", backbone, ...cache, "--no-report", "--out", out]);
  expect(readRecord(out).k).toBe(3);
});

test("new images join a run with a backbone as predict sees them", () => {
  const [copy, file] = [join(folder, "joined"), join(folder, "new.png")];
  cpSync(run, copy, { recursive: true });
  const [{ item }] = readAssignments(run);
  writeFileSync(file, Buffer.concat([readFileSync(join(images, item)), Buffer.from("another file")]));
  const { added, count } = JSON.parse(succeed(["add", copy, file, "--json", "-q", ...cache]).stdout);
  const [{ cluster, score }] = added;
  const predicted = JSON.parse(succeed(["predict", run, file]).stdout);
  expect([count, cluster, score]).toEqual([91, predicted.cluster, predicted.score]);
  expect(readAssignments(copy)).toHaveLength(91);
});
