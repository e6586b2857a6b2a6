/** `boostcluster info`: what a run is. */

import { formatImageSize } from "../../images/image.ts";
import { formatSeconds } from "../../numeric/format.ts";
import type { Settings } from "../../runs/fitted.ts";
import { isOfVectorsAlone, type RunRecord, readRecord } from "../../runs/run-record.ts";
import type { Command } from "../command.ts";
import { type OptionSpecs, onlyPositional, parseOptions } from "../options.ts";

const options = {
  json: { kind: "flag", help: "Print run.json." },
} as const satisfies OptionSpecs;

export const infoCommand: Command = {
  name: "info",
  usage: "<run>",
  summary: "Tell what a run is: images, settings, clusters, numbers.",
  examples: ["info runs/flowers", "info runs/flowers --json"],
  options,
  interruptible: false,
  run: async (args, { print }) => {
    const { options: values, positionals } = parseOptions(args, options);
    const record = readRecord(onlyPositional(positionals, "info takes the folder of one run"));
    print(values.json ? JSON.stringify(record) : describe(record));
  },
};

function describe(record: RunRecord): string {
  const { dataset, versions, seconds, settings, converged } = record;
  const things = isOfVectorsAlone(record) ? "vectors" : "images";
  const total = Object.values(seconds).reduce((a, b) => a + b, 0);
  const leftOut = dataset.skipped.length === 0 ? "" : `, ${dataset.skipped.length} files left out`;
  const maker = `boostcluster ${versions.boostcluster}, ONNX Runtime ${versions.onnxruntime}, Node ${versions.node}`;
  const rows: [string, string][] = [
    ["method", `${record.method}${converged ? "" : ", to its last epoch"}`],
    isOfVectorsAlone(record)
      ? [things, `${dataset.name}: ${dataset.count} ${formatImageSize(record.architecture.image)}`]
      : [things, `${dataset.name}: ${dataset.count}, ${formatImageSize(dataset.image)}${leftOut}`],
    ...backboneRows(record),
    ["clusters", `${record.k}, of ${record.sizes.join(", ")} ${things}`],
    ...(record.none === undefined
      ? []
      : [["none", `${record.none} ${things} belong nowhere`] satisfies [string, string]]),
    ["settings", Object.entries(settings).map(settingText).join(", ")],
    ["epochs", String(record.history.length)],
    ["time", formatSeconds(total)],
    ...Object.entries({ ...record.metrics, ...record.quality }).map(([name, value]): [string, string] => [
      name,
      value.toFixed(4),
    ]),
    ["made by", `${maker}, ${versions.platform}`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => name.padEnd(width) + value).join("\n");
}

const backboneRows = ({ backbone }: RunRecord): [string, string][] =>
  backbone === undefined ? [] : [["backbone", `${backbone.name} (${backbone.output}), SHA-256 ${backbone.hash}`]];

const settingText = ([name, value]: [string, Settings[string]]): string =>
  `${name} ${typeof value === "object" && value !== null ? Object.values(value).join(" ") : value}`;
