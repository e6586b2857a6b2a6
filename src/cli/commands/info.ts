/** `boostcluster info`: what a run is. */
import { formatImageSize } from "../../image.ts";
import { type RunRecord, readRecord } from "../../model/run-folder.ts";
import type { Command } from "../command.ts";
import { type OptionSpecs, parseOptions } from "../options.ts";
import { onlyPositional } from "../positionals.ts";
import { formatSeconds } from "../progress.ts";

const options = {
  json: { kind: "flag", help: "print run.json" },
  help: { kind: "flag", short: "h", help: "this text" },
} as const satisfies OptionSpecs;

export const infoCommand: Command = {
  name: "info",
  usage: "<run>",
  summary: "Tell what a run is: images, settings, clusters, numbers.",
  examples: ["info runs/flowers", "info runs/flowers --json"],
  options,
  run: async (args, { print }) => {
    const { options: values, positionals } = parseOptions(args, options);
    const record = readRecord(onlyPositional(positionals, "info takes the folder of one run"));
    print(values.json ? JSON.stringify(record) : describe(record));
  },
};

function describe({
  method,
  dataset,
  settings,
  k,
  sizes,
  metrics,
  history,
  seconds,
  versions,
  converged,
}: RunRecord): string {
  const total = Object.values(seconds).reduce((a, b) => a + b, 0);
  const rows: [string, string][] = [
    ["method", `${method}${converged ? "" : ", stopped before assignments settled"}`],
    [
      "images",
      `${dataset.name}: ${dataset.count}, ${formatImageSize(dataset.image)}${dataset.skipped > 0 ? `, ${dataset.skipped} files left out` : ""}`,
    ],
    ["clusters", `${k}, of ${sizes.join(", ")} images`],
    [
      "settings",
      Object.entries(settings)
        .map(([name, value]) => `${name} ${value}`)
        .join(", "),
    ],
    ["epochs", String(history.length)],
    ["time", formatSeconds(total)],
    ...Object.entries(metrics ?? {}).map(([name, value]): [string, string] => [name, value.toFixed(4)]),
    [
      "made by",
      `boostcluster ${versions.boostcluster}, ONNX Runtime ${versions.onnxruntime}, Node ${versions.node}, ${versions.platform}`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => name.padEnd(width) + value).join("\n");
}
