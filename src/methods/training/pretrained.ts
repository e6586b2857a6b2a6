/** Auto-encoders that several methods begin with, and so need to be trained only once. */
import type { Architecture } from "../../network/architecture.ts";
import type { TrainedValues } from "../../network/trained.ts";
import type { HistoryEntry } from "../../runs/fitted.ts";
import type { TrainingContext } from "./training-loop.ts";

export interface Pretrained extends TrainedValues {
  readonly history: readonly HistoryEntry[];
}

/** Keys tell all that decides an auto-encoder, as long texts. */
export interface PretrainedStore {
  load(key: string): Pretrained | undefined;
  save(key: string, pretrained: Pretrained): void;
}

/** Done once in a run: `train` trains the auto-encoder, unless the store has it. `settings`: all that decides it. */
export async function pretrainedOnce(
  architecture: Architecture,
  settings: object,
  { dataset, run, options: { pretrained: store } }: TrainingContext,
  train: () => Promise<TrainedValues>,
  name = "auto-encoder",
): Promise<TrainedValues> {
  const { parameters, statistics } = await run.once(name, async (soFar) => {
    const key = JSON.stringify({ images: dataset.fingerprint, architecture, settings });
    const found = store?.load(key);
    if (found !== undefined) {
      run.history.push(...found.history);
      return { parameters: found.parameters, statistics: found.statistics };
    }
    const trained = await train();
    store?.save(key, { ...trained, history: soFar() });
    return { ...trained };
  });
  return { parameters, statistics };
}
