/** A benchmark's report as Markdown. */
import type { Versions } from "../runs/versions.ts";
import { formatMachine } from "./machine.ts";
import type { BenchmarkReport } from "./report.ts";
import { type TableText, tableText } from "./table-text.ts";

export function benchmarkMarkdown({ commands, versions, machines, tables }: BenchmarkReport): string {
  const made = `Made by ${versions.map(versionText).join(" and ")}, on ${machines.map(formatMachine).join(" and on ")}.`;
  const blocks = [
    "# Benchmark",
    ...(commands.length === 0 ? [] : [["```", ...commands, "```"].join("\n")]),
    made,
    "ACC and NMI as in the paper (Li, Qiao, Zhang, Xi), beside the paper's own numbers: the mean over the seeds ± the " +
      "sample standard deviation. Time is the mean for one seed.",
    ...tables.flatMap((table) => tableBlocks(tableText(table))),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function tableBlocks({ title, columns, rows, notes }: TableText): string[] {
  const line = (texts: readonly string[]): string => `| ${texts.map(escapeBars).join(" | ")} |`;
  const rule = columns.map((_, column) => (column === 0 ? "---" : "---:"));
  return [`## ${title}`, [line(columns), `|${rule.join("|")}|`, ...rows.map(line)].join("\n"), ...notes];
}

const escapeBars = (text: string): string => text.replaceAll("|", "\\|");

const versionText = ({ boostcluster, onnxruntime, node, platform }: Versions): string =>
  `boostcluster ${boostcluster} (ONNX Runtime ${onnxruntime}, Node ${node}, ${platform})`;
