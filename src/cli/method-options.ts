/** The options of `cluster` that a method takes, and which method takes which. */
import { augmentations } from "../augmentation.ts";
import { balances } from "../clustering/targets.ts";
import { devices } from "../engine/device.ts";
import { InputError } from "../errors.ts";
import type { AecOptions } from "../methods/aec.ts";
import { aecStarts } from "../methods/aec.ts";
import { centreSources, type DbcOptions } from "../methods/dbc.ts";
import { presets } from "../methods/dbc-presets.ts";
import type { DcnOptions } from "../methods/dcn.ts";
import type { DenOptions } from "../methods/den.ts";
import { initializations } from "../methods/fcae.ts";
import type { IecOptions } from "../methods/iec.ts";
import type { MethodName } from "../methods/methods.ts";
import { activations } from "../network/architecture.ts";
import type { OptimizerOptions } from "../network/optimizer.ts";
import { given, type OptionSpecs, type OptionValues } from "./options.ts";

/** Taken by every method. */
export const commonOptions = {
  seed: { kind: "number", help: "of everything random (default: 0)" },
  restarts: { kind: "number", help: "starts of k-means (default: 20)" },
  threads: { kind: "number", help: "(default: all cores)" },
  device: { kind: "choice", choices: devices, help: "(default: cpu)" },
} as const satisfies OptionSpecs;

/** Taken by some. */
const specialOptions = {
  preset: { kind: "choice", choices: presets, help: "of dbc: our best, or the paper's (default: boosted)" },
  "pretrain-epochs": {
    kind: "number",
    help: "epochs of the auto-encoder (default: by preset; fcae-kms 30, dense ones 50)",
  },
  "pretrain-rate": { kind: "number", help: "learning rate of the auto-encoder, Adam (default: 0.001)" },
  initialization: {
    kind: "choice",
    choices: initializations,
    help: "how far the auto-encoder goes (default: trained)",
  },
  augmentation: {
    kind: "choice",
    choices: augmentations,
    help: "how images are changed while learning (default: none; boosted: move, or photo for colour photographs)",
  },
  "network-side": { kind: "number", help: "shrink larger images to about this (default: never; boosted, den: 32)" },
  "layer-epochs": { kind: "number", help: "epochs of each layer by itself, dense auto-encoders (default: 10)" },
  corruption: { kind: "number", help: "share of inputs left out to learn from the rest (default: 0.2)" },
  epochs: {
    kind: "number",
    help: "T, the most epochs of clustering (default: boosted: at least 20; dbc, dcn, den 50; aec 60; dec 100)",
  },
  batches: { kind: "number", help: "B, mini-batches an epoch of clustering (default: all images once; dec 160)" },
  tolerance: { kind: "number", help: "stop when at most this share changes cluster (default: 0; dec 0.001)" },
  alpha: { kind: "number", help: "α, the boosting factor, over 1 (default: 2)" },
  v: { kind: "number", help: "degrees of freedom of the scores (default: 1)" },
  balance: { kind: "choice", choices: balances, help: "n_j of the targets (default: boosted)" },
  trials: { kind: "number", help: "starts, of which the best counts (default: 1)" },
  "auto-encoders": {
    kind: "number",
    help: "by whose features together dbc finds its first clusters (default: 1; boosted: 2 or 3 for small clusters)",
  },
  "fine-epochs": {
    kind: "number",
    help: "that learn finer groups before clustering (default: 0; boosted: at least 4; of few images none)",
  },
  centres: { kind: "choice", choices: centreSources, help: "the first ones of dbc (default: k-means; boosted: graph)" },
  "warm-epochs": {
    kind: "number",
    help: "of clustering, that learn the first clusters (default: 0; boosted: two thirds)",
  },
  "plain-epochs": {
    kind: "number",
    help: "the last of clustering, that see images as they are (default: 0; boosted: a third)",
  },
  repairs: { kind: "number", help: "times that clusters are found anew while training (default: 0)" },
  trust: { kind: "number", help: "0 to 1: in the first clusters, beside the scores (default: 0; boosted: 1)" },
  "final-rate": { kind: "number", help: "share that the learning rate falls to (default: 1; boosted: 0.05)" },
  weight: { kind: "number", help: "of the distance to centres (default: aec 0.1, dcn 1)" },
  start: { kind: "choice", choices: aecStarts, help: "the first clusters of aec (default: k-means)" },
  neighbours: { kind: "number", help: "of each image, that den keeps together (default: 5)" },
  partitions: { kind: "number", help: "basic partitions of iec (default: 100, fewer where k is large)" },
  optimizer: {
    kind: "choice",
    choices: ["sgd", "adam"],
    help: "of clustering (default: paper's dbc, dec sgd; others adam)",
  },
  rate: {
    kind: "number",
    help: "learning rate of clustering (default: dbc 0.003, paper's 0.1; dec 0.01, dcn 0.0001, others 0.001)",
  },
  batch: {
    kind: "number",
    help: "images a step (default: 256; fcae-kms, dbc: 32 where they are over 64x64; boosted: fewer of few)",
  },
  activation: { kind: "choice", choices: activations, help: "of the network (default: relu)" },
  "feature-activation": { kind: "choice", choices: activations, help: "of the feature layer (default: linear)" },
  "no-feature-bn": { kind: "flag", help: "no batch normalization on the feature layer" },
} as const satisfies OptionSpecs;

export const methodOptionSpecs = { ...specialOptions, ...commonOptions } as const;

type SpecialOption = keyof typeof specialOptions;
type Values = OptionValues<typeof methodOptionSpecs>;

const fcae: readonly SpecialOption[] = [
  "pretrain-epochs",
  "pretrain-rate",
  "initialization",
  "batch",
  "activation",
  "feature-activation",
  "no-feature-bn",
  "augmentation",
  "network-side",
];
const dae: readonly SpecialOption[] = ["pretrain-epochs", "pretrain-rate", "layer-epochs", "corruption", "batch"];
const joint: readonly SpecialOption[] = [...dae, "epochs", "optimizer", "rate"];
const stageTwo: readonly SpecialOption[] = [
  "preset",
  "epochs",
  "batches",
  "tolerance",
  "alpha",
  "v",
  "balance",
  "trials",
  "auto-encoders",
  "fine-epochs",
  "centres",
  "warm-epochs",
  "plain-epochs",
  "repairs",
  "trust",
  "final-rate",
  "optimizer",
  "rate",
];

const taken: Readonly<Record<MethodName, readonly SpecialOption[]>> = {
  kms: [],
  "dae-kms": dae,
  aec: [...joint, "weight", "start"],
  iec: ["partitions", "corruption"],
  dec: [...joint, "batches", "tolerance"],
  den: [...joint, "neighbours", "network-side"],
  dcn: [...joint, "weight"],
  "fcae-kms": fcae,
  dbc: [...fcae, ...stageTwo],
};

/** Each method's optimizer of clustering, where only a learning rate is given. */
const usualOptimizer = (method: MethodName, { preset }: Values): OptimizerOptions["kind"] =>
  method === "dec" || (method === "dbc" && preset === "paper") ? "sgd" : "adam";

/** An option that the method has no use for is a mistake, not a wish. */
export function expectTaken(values: Values, method: MethodName): void {
  for (const name of Object.keys(specialOptions))
    if (isSpecial(name) && isGiven(values[name]) && !taken[method].includes(name)) {
      const takers = Object.entries(taken).flatMap(([taker, names]) => (names.includes(name) ? [taker] : []));
      throw new InputError(`--${name} is for ${takers.join(", ")}; leave it out with ${method}`);
    }
}

const isSpecial = (name: string): name is SpecialOption => name in specialOptions;
const isGiven = (value: unknown): boolean => value !== undefined && value !== false;

type GivenOptions = Omit<Partial<DbcOptions & DenOptions & DcnOptions & AecOptions & IecOptions>, "layers">;

/** The options of a method, those that were given. */
export function methodOptions(values: Values, method: MethodName): GivenOptions {
  return given({
    seed: values.seed,
    restarts: values.restarts,
    threads: values.threads,
    device: values.device,
    pretrainEpochs: values["pretrain-epochs"],
    pretrainOptimizer:
      values["pretrain-rate"] === undefined
        ? undefined
        : ({ kind: "adam", learningRate: values["pretrain-rate"] } as const),
    preset: values.preset,
    initialization: values.initialization,
    augmentation: values.augmentation,
    networkSide: values["network-side"],
    layerEpochs: values["layer-epochs"],
    corruption: values.corruption,
    epochs: values.epochs,
    batches: values.batches,
    tolerance: values.tolerance,
    alpha: values.alpha,
    v: values.v,
    balance: values.balance,
    trials: values.trials,
    autoEncoders: values["auto-encoders"],
    fineEpochs: values["fine-epochs"],
    centres: values.centres,
    warmEpochs: values["warm-epochs"],
    plainEpochs: values["plain-epochs"],
    repairs: values.repairs,
    trust: values.trust,
    finalRate: values["final-rate"],
    weight: values.weight,
    start: values.start,
    neighbours: values.neighbours,
    partitions: values.partitions,
    optimizer: clusteringOptimizer(values, method),
    batch: values.batch,
    activation: values.activation,
    featureActivation: values["feature-activation"],
    featureBatchNormalization: values["no-feature-bn"] ? false : undefined,
  });
}

function clusteringOptimizer(values: Values, method: MethodName): OptimizerOptions | undefined {
  const { optimizer, rate } = values;
  if (optimizer === undefined && rate === undefined) return undefined;
  return { kind: optimizer ?? usualOptimizer(method, values), ...given({ learningRate: rate }) };
}
