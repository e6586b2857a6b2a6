/** The command that makes a run again: the inverse of what `cluster` makes of its options. */

import { quoted } from "../files/shell-word.ts";
import type { Dataset } from "../images/dataset.ts";
import { type MethodName, methodNames, methods } from "../methods/methods.ts";
import type { AssignmentRow } from "../runs/assignments.ts";
import type { Settings } from "../runs/fitted.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { methodOptionSpecs, methodOptions, settingArguments } from "./method-options.ts";
import { noneArguments } from "./none-option.ts";
import { parseOptions } from "./options.ts";

/** Undefined where no command makes such a run: the library can do more. `dataset` has what the method was given. */
export function reproducingCommand(
  record: RunRecord,
  rows: readonly AssignmentRow[],
  dataset: Dataset,
): string | undefined {
  const { refines } = record.settings;
  if (typeof refines === "string") return refiningCommand(refines, record.settings);
  const method = methodNames.find((name) => name === record.method);
  const { source, added } = record.settings;
  if (method === undefined || typeof source !== "string" || added !== undefined) return undefined;
  // Methods saw what the architecture takes: pixels, or vectors of them.
  const seen = { ...dataset, name: record.dataset.name, image: record.architecture.image };
  const decisive = methodArguments(method, record, seen);
  if (decisive === undefined) return undefined;
  const words = [
    ...["boostcluster", "cluster", ...(record.settings.features === source ? [] : [source]), "-k", String(record.k)],
    ...(method === "dbc" ? [] : ["--method", method]),
    ...imageArguments(record),
    ...vectorArguments(record),
    ...(areFolders(rows) ? ["--labels", "folders"] : []),
    ...noneArguments(record.settings),
    ...decisive,
  ];
  return words.map(quoted).join(" ");
}

/** Of a run that another one has been refined to. */
const refiningCommand = (refined: string, settings: Settings): string =>
  ["boostcluster", "refine", refined, ...always.flatMap((name) => settingArguments(name, settings[name]))]
    .map(quoted)
    .join(" ");

/** Images that are files were brought to a size; others have the one they have. */
function imageArguments({ settings: { fit, duplicates }, dataset: { image } }: RunRecord): string[] {
  if (typeof fit !== "string") return [];
  return [
    ...["--size", `${image.height}x${image.width}`, "--channels", String(image.channels)],
    ...(fit === "cover" ? [] : ["--fit", fit]),
    // Before version 0.3 every file counted, and nothing was said of it.
    ...(duplicates === "stack" ? [] : ["--duplicates", "keep"]),
  ];
}

/** What stood before the method. */
const vectorArguments = ({ settings: { backbone, backboneOutput, features } }: RunRecord): string[] =>
  Object.entries({ backbone, "backbone-output": backboneOutput, features }).flatMap(([flag, value]) =>
    typeof value === "string" ? [`--${flag}`, value] : [],
  );

/** Whether each image's label is the folder that it is in. */
const areFolders = (rows: readonly AssignmentRow[]): boolean =>
  rows.every(({ item, label }) => label !== undefined && item.startsWith(`${label}/`));

/** The result depends on both, and the number of threads on the machine. */
const always = ["seed", "threads"];

/** Only what is not as it would be anyway; a setting may change the defaults of others, so it takes several rounds. */
function methodArguments(method: MethodName, { k, settings }: RunRecord, dataset: Dataset): string[] | undefined {
  const wanted = withUnsaid(method, settings, dataset);
  const told = new Set(always.filter((name) => name in wanted));
  for (;;) {
    const words = [...told].flatMap((name) => settingArguments(name, wanted[name]));
    const { options } = parseOptions(words, methodOptionSpecs);
    const made = methods[method].settings(dataset, { k, ...methodOptions(options, method) });
    const untold = differing(wanted, made);
    if (untold.length === 0) return words;
    if (untold.some((name) => told.has(name) || settingArguments(name, wanted[name]).length === 0)) return undefined;
    for (const name of untold) told.add(name);
  }
}

/**
 * What earlier versions did, and did not say: before 0.5 an epoch of the auto-encoder saw each image once; before 0.6
 * nothing was smoothed, and AEC's weight was set against the mean.
 */
const withUnsaid = (method: MethodName, settings: Settings, { count }: Dataset): Settings => ({
  ...("pretrainEpochs" in settings && "initialization" in settings
    ? { pretrainBatches: Math.ceil(count / Number(settings.batch)) }
    : {}),
  ...(method === "dbc" ? { smoothing: 0 } : {}),
  ...(method === "aec" ? { reconstructionError: "mean" } : {}),
  ...settings,
});

/** The settings to tell next: a preset alone, as most others follow from it. */
function differing(wanted: Settings, made: Settings): readonly string[] {
  const names = new Set([...Object.keys(made), ...Object.keys(wanted).filter((name) => hasOption(name, wanted[name]))]);
  const different = [...names].filter((name) => !isSame(made[name], wanted[name]));
  return different.includes("preset") ? ["preset"] : different;
}

const hasOption = (name: string, value: Settings[string]): boolean => settingArguments(name, value).length > 0;

const isSame = (a: Settings[string] | undefined, b: Settings[string] | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
