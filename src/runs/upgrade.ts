/** Records that version 0.1 wrote, in the words of this one. */
import type { Settings, Stage } from "./fitted.ts";
import type { RunRecord } from "./run-record.ts";

/** Settings whose names have changed. */
const settingNames: Readonly<Record<string, string>> = {
  fineEpochs: "overClusteringEpochs",
  warmEpochs: "warmUpEpochs",
  plainEpochs: "unaugmentedEpochs",
  repairs: "reclusterings",
  trust: "pseudoLabelWeight",
  finalRate: "finalLearningRate",
  centres: "initialClusters",
  start: "initialClusters",
};

const stageNames: Readonly<Record<string, Stage>> = { "fine groups": "over-clustering" };

/** Settings of DBC that were noted down only where they were something else, or not at all. */
const unsaid = ({ dataset, settings }: RunRecord): Settings => ({
  autoEncoders: 1,
  unaugmentedEpochs: 0,
  smoothing: 0,
  landmarks: dataset.count,
  statistics: "running",
  pretrainBatches: Math.ceil(dataset.count / Number(settings.batch)),
});

function upgradedSettings(record: RunRecord): Settings {
  const { method, settings } = record;
  const renamed = Object.entries(settings).map(([name, value]) => [settingNames[name] ?? name, value]);
  return { ...(method === "dbc" ? unsaid(record) : {}), ...Object.fromEntries(renamed) };
}

export function upgradedRecord(record: RunRecord): RunRecord {
  const history = record.history.map((entry) => ({ ...entry, stage: stageNames[entry.stage] ?? entry.stage }));
  return { ...record, settings: upgradedSettings(record), history };
}
