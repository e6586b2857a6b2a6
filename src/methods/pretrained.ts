/** Auto-encoders that several methods begin with, and so need to be trained only once. */
import { createHash } from "node:crypto";
import type { HistoryEntry } from "../model/fitted.ts";
import type { Architecture } from "../network/architecture.ts";
import type { TrainedValues } from "../network/trained.ts";
import type { TrainingContext } from "./training.ts";

export interface Pretrained extends TrainedValues {
  readonly history: readonly HistoryEntry[];
}

export interface PretrainedStore {
  load(key: string): Pretrained | undefined;
  save(key: string, pretrained: Pretrained): void;
}

/** A phase of a run: `run` trains the auto-encoder, unless the store has it. `settings`: all that decides it. */
export async function pretrainedPhase(
  architecture: Architecture,
  settings: object,
  { dataset, course, options: { pretrained: store } }: TrainingContext,
  run: () => Promise<TrainedValues>,
  name = "auto-encoder",
): Promise<TrainedValues> {
  const { parameters, statistics } = await course.phase(name, async (soFar) => {
    const key = digest({ images: dataset.fingerprint, architecture, settings });
    const found = store?.load(key);
    if (found !== undefined) {
      course.history.push(...found.history);
      return { parameters: found.parameters, statistics: found.statistics };
    }
    const trained = await run();
    store?.save(key, { ...trained, history: soFar() });
    return { ...trained };
  });
  return { parameters, statistics };
}

const digest = (value: object): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");
