/** How many clusters `cluster` makes: a number that was given, or an estimate. */

import { type CountEvidence, clearCount, likelyCounts } from "../clustering/cluster-count.ts";
import { InputError } from "../files/errors.ts";
import { type Dataset, withoutLabels } from "../images/dataset.ts";
import { type EstimateOptions, estimateK } from "../methods/dbc/estimate-k.ts";
import type { MethodName } from "../methods/methods.ts";
import type { Pretrained, PretrainedStore } from "../methods/training/pretrained.ts";
import type { Note } from "../runs/checkpoint.ts";
import { lastCheckpoint } from "../runs/run-checkpoints.ts";
import { given } from "./options.ts";

/** What `-k` says. */
export function wantedClusters(k: string | undefined): number | "auto" {
  if (k === undefined) throw new InputError("cluster needs the number of clusters: -k N, or -k auto");
  if (k === "auto") return k;
  if (k.trim() === "" || Number.isNaN(Number(k))) throw new InputError(`--k takes a number or auto, not "${k}"`);
  return Number(k);
}

export interface EstimatedClusters {
  readonly k: number;
  readonly evidence: readonly CountEvidence[];
  /** The auto-encoder that was trained for it, which DBC can begin with. */
  readonly pretrained?: PretrainedStore;
}

/** Found out now. */
export async function estimateClusters(dataset: Dataset, options: EstimateOptions): Promise<EstimatedClusters> {
  const pretrained = memoryStore();
  const { k, evidence } = await estimateK(withoutLabels(dataset), { ...options, pretrained });
  if (k === undefined)
    throw new InputError(
      `${dataset.name}: ${noClearAnswer(evidence)}; give one with -k, or see them with "boostcluster k"`,
    );
  return { k, evidence, pretrained };
}

export const noClearAnswer = (evidence: readonly CountEvidence[]): string =>
  evidence.length === 0
    ? "no clear number of clusters: the images do not come in groups"
    : `no clear number of clusters; the likeliest are ${likelyCounts(evidence).join(", ")}`;

/**
 * Those of what was given that decide the auto-encoder, where the method has one that the estimate can share. The others
 * are wishes for the method itself: the number of clusters does not hang on them.
 */
export function estimateOptions(wanted: EstimateOptions, method: MethodName): EstimateOptions {
  const { seed, threads, device, parts } = wanted;
  const common = { seed, threads, device, parts };
  if (method !== "dbc" && method !== "fcae-kms") return given(common);
  const { pretrainEpochs, pretrainOptimizer, augmentation, networkSide, batch } = wanted;
  const { activation, featureActivation, featureBatchNormalization } = wanted;
  const training = { pretrainEpochs, pretrainOptimizer, augmentation, networkSide, batch };
  return given({ ...common, ...training, activation, featureActivation, featureBatchNormalization });
}

/** Keeps auto-encoders while the process lasts. */
function memoryStore(): PretrainedStore {
  const kept = new Map<string, Pretrained>();
  return { load: (key) => kept.get(key), save: (key, pretrained) => void kept.set(key, pretrained) };
}

/** Found out by the interrupted run in that folder, if it did. */
export function keptEstimate(folder: string): EstimatedClusters | undefined {
  const evidence = evidenceFrom(lastCheckpoint(folder)?.notes.evidence);
  const k = clearCount(evidence);
  return k === undefined ? undefined : { k, evidence };
}

/** As it is kept with checkpoints. */
export const evidenceNote = (evidence: readonly CountEvidence[]): Note => evidence.map(({ k, gap }) => ({ k, gap }));

const evidenceFrom = (note: Note | undefined): readonly CountEvidence[] =>
  JSON.parse(JSON.stringify(Array.isArray(note) ? note : []));
