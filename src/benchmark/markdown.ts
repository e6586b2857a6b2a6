/** A benchmark's report as Markdown. */
import type { Versions } from "../runs/versions.ts";
import { formatMachine, type Machine } from "./machine.ts";
import type { BenchmarkReport } from "./report.ts";
import { type TableText, tableText } from "./table-text.ts";

export function benchmarkMarkdown({ commands, versions, machines, tables }: BenchmarkReport): string {
  const blocks = [
    "# Benchmark",
    ...(commands.length === 0 ? [] : [["```", ...commands, "```"].join("\n")]),
    madeBy(versions, machines),
    "ACC and NMI as in the paper (Li, Qiao, Zhang, Xi), beside the paper's own numbers: the mean over the seeds ± the " +
      "sample standard deviation. Time is the mean for one seed.",
    ...tables.flatMap((table) => tableBlocks(tableText(table))),
  ];
  return `${blocks.join("\n\n")}\n`;
}

export const madeBy = (versions: readonly Versions[], machines: readonly Machine[]): string =>
  `Made by ${versions.map(versionText).join(" and ")}, on ${machines.map(formatMachine).join(" and on ")}.`;

const tableBlocks = ({ title, columns, rows, notes }: TableText): string[] => [
  `## ${title}`,
  markdownTable(columns, rows),
  ...notes,
];

/** The first column to the left, the others to the right. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (texts: readonly string[]): string => `| ${texts.map(escapeBars).join(" | ")} |`;
  const rule = columns.map((_, column) => (column === 0 ? "---" : "---:"));
  return [line(columns), `|${rule.join("|")}|`, ...rows.map(line)].join("\n");
}

const escapeBars = (text: string): string => text.replaceAll("|", "\\|");

const versionText = ({ boostcluster, onnxruntime, node, platform }: Versions): string =>
  `boostcluster ${boostcluster} (ONNX Runtime ${onnxruntime}, Node ${node}, ${platform})`;
