import { expect, test } from "vitest";
import { unlabelled } from "../../test/datasets.ts";
import { shapeDataset } from "../../test/shapes.ts";
import { type MethodName, methods } from "../methods/methods.ts";
import { deriveArchitecture } from "../network/architecture.ts";
import type { Settings } from "../runs/fitted.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { versions } from "../runs/versions.ts";
import { methodOptionSpecs, methodOptions } from "./method-options.ts";
import { parseOptions } from "./options.ts";
import { reproducingCommand } from "./reproduction.ts";

const dataset = { ...unlabelled(shapeDataset(100)), name: "my photos" };

const rows = [{ item: "cats/1.jpg", cluster: 0, score: 1, secondCluster: undefined, margin: 1, label: "cats" }];

/** What `cluster` would note down. */
function recordOf(method: string, settings: Settings): RunRecord {
  const { name, count, image, fingerprint } = dataset;
  return {
    format: "",
    versions: versions(),
    method,
    dataset: { name, count, image, fingerprint, skipped: [] },
    settings: { source: "/my photos", fit: "cover", duplicates: "stack", ...settings },
    architecture: deriveArchitecture(image),
    k: 5,
    v: 1,
    converged: false,
    sizes: [],
    history: [],
    seconds: {},
  };
}

const settingsOf = (method: MethodName, words: readonly string[]): Settings =>
  methods[method].settings(dataset, { k: 5, ...methodOptions(parseOptions(words, methodOptionSpecs).options, method) });

const command = (method: MethodName, words: readonly string[]): string | undefined =>
  reproducingCommand(recordOf(method, settingsOf(method, words)), rows, dataset);

test.each<[MethodName, string[]]>([
  ["dbc", []],
  [
    "dbc",
    [
      "--epochs",
      "7",
      "--no-feature-batch-normalization",
      "--learning-rate",
      "0.05",
      "--feature-activation",
      "tanh",
      "--batch",
      "50",
    ],
  ],
  ["dbc", ["--optimizer", "adam", "--alpha", "3", "--balance", "none", "--initialization", "random", "--threads", "1"]],
  ["dbc", ["--preset", "paper"]],
  ["dbc", ["--preset", "paper", "--epochs", "7", "--network-side", "16", "--auto-encoders", "2"]],
  ["dbc", ["--auto-encoders", "1"]],
  ["dbc", ["--auto-encoders", "2", "--trials", "2"]],
  ["dbc", ["--unaugmented-epochs", "0"]],
  ["dbc", ["--optimizer", "sgd"]],
  ["dec", ["--tolerance", "0.01", "--pretrain-learning-rate", "0.002", "--corruption", "0.1"]],
  ["dcn", ["--batch", "20", "--epochs", "100", "--layer-epochs", "20"]],
  ["aec", ["--initial-clusters", "random", "--weight", "0.5"]],
  ["den", ["--neighbours", "3"]],
  ["iec", ["--partitions", "12"]],
  ["dae-kms", ["--pretrain-epochs", "1"]],
  ["fcae-kms", ["--activation", "tanh", "--seed", "4"]],
  ["kms", ["--restarts", "3"]],
])("the command of %s with %j makes the same settings", (method, words) => {
  const made = command(method, words);
  const [before, decisive] = (made ?? "").split(/(?=--seed)/);
  const named = method === "dbc" ? "" : `--method ${method} `;
  expect(before).toBe(`boostcluster cluster "/my photos" -k 5 ${named}--size 12x12 --channels 1 --labels folders `);
  expect(settingsOf(method, decisive.split(" "))).toEqual(settingsOf(method, words));
});

test("runs of versions that did not smooth, and weighed AEC's error otherwise, are made again as they were", () => {
  const { smoothing: _, ...dbc } = settingsOf("dbc", []);
  expect(reproducingCommand(recordOf("dbc", dbc), rows, dataset)).toContain("--smoothing 0");
  const { reconstructionError: __, ...aec } = settingsOf("aec", []);
  expect(reproducingCommand(recordOf("aec", aec), rows, dataset)).toContain("--reconstruction-error mean");
});

test("what is as it would be anyway is not said", () => {
  expect(command("dbc", ["--reclusterings", "0", "--threads", "2"])).toMatch(/--seed 0 --threads 2$/);
});

test("where every file counted, copies too, the command says so; before version 0.3 runs did not", () => {
  const { duplicates, ...settings } = recordOf("kms", settingsOf("kms", [])).settings;
  const make = (of: Settings) => reproducingCommand({ ...recordOf("kms", {}), settings: of }, rows, dataset);
  expect(make({ ...settings, duplicates: "stack" })).not.toContain("--duplicates");
  expect(make({ ...settings, duplicates: "keep" })).toContain("--channels 1 --duplicates keep ");
  expect(make(settings)).toBe(make({ ...settings, duplicates: "keep" }));
});

test.each<[Settings, string]>([
  [
    { backbone: "mobilenet" },
    'cluster "/my photos" -k 5 --method kms --size 12x12 --channels 1 --backbone mobilenet --labels',
  ],
  [{ backbone: "/a b.onnx", backboneOutput: "map:mean" }, '--backbone "/a b.onnx" --backbone-output map:mean --labels'],
  [{ backbone: "none" }, "--channels 1 --backbone none --labels"],
  [
    { features: "/my/vectors.npy" },
    'cluster "/my photos" -k 5 --method kms --size 12x12 --channels 1 --features /my/vectors.npy',
  ],
])("what looked at the images, %j, is told", (seen, words) => {
  expect(reproducingCommand(recordOf("kms", { ...settingsOf("kms", []), ...seen }), rows, dataset)).toContain(words);
});

test("vectors without images are told as vectors", () => {
  const { fit, duplicates, ...settings } = recordOf("kms", settingsOf("kms", [])).settings;
  const alone = { ...settings, source: "/v.npy", features: "/v.npy" };
  const made = reproducingCommand({ ...recordOf("kms", {}), settings: alone }, rows, dataset);
  expect(made).toMatch(/^boostcluster cluster -k 5 --method kms --features \/v\.npy --labels folders --seed 0/);
});

test("no command where there is none", () => {
  const settings = settingsOf("dbc", []);
  const make = (method: string, changed: Settings) =>
    reproducingCommand(recordOf(method, { ...settings, ...changed }), rows, dataset);
  expect(make("dbc", {})).toBeDefined();
  expect(make("dbc", { network: "my own" })).toBeUndefined();
  expect(make("dbc", { optimizer: { kind: "sgd", learningRate: 0.1, momentum: 0.5 } })).toBeUndefined();
  expect(make("magic", {})).toBeUndefined();
});

test("paths are quoted for a shell", () => {
  const quoted = (source: string) =>
    reproducingCommand(recordOf("kms", { ...settingsOf("kms", []), source }), rows, dataset)?.split(" -k ")[0];
  expect(quoted("mnist-test")).toBe("boostcluster cluster mnist-test");
  expect(quoted("/a b")).toBe('boostcluster cluster "/a b"');
  expect(quoted("/it's $5")).toBe("boostcluster cluster '/it'\\''s $5'");
});

test.each([
  ["auto", false],
  ["off", true],
  [0.05, true],
])("images that belong nowhere by %s: told where it is not the default", (none, told) => {
  const made = reproducingCommand(recordOf("kms", { ...settingsOf("kms", []), none }), rows, dataset);
  expect(made?.includes(`--none ${none}`)).toBe(told);
});
