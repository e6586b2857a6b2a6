/** The report on all cells of a folder, as files beside them: `benchmark.json`, `.csv` and `.md`. */
import { join } from "node:path";
import { writeFileAtomically } from "../files/atomic.ts";
import { csvLine } from "../files/csv.ts";
import { writeJson } from "../files/json.ts";
import { readCells } from "./cell.ts";
import { benchmarkMarkdown } from "./markdown.ts";
import { type BenchmarkReport, benchmarkReport } from "./report.ts";

/** Writes the three files and returns their content; writes nothing if there are no cells. */
export function writeReport(out: string): BenchmarkReport {
  const cells = readCells(out);
  const report = benchmarkReport(cells);
  if (cells.length === 0) return report;
  writeJson(join(out, "benchmark.json"), report);
  writeFileAtomically(join(out, "benchmark.csv"), benchmarkCsv(report));
  writeFileAtomically(join(out, "benchmark.md"), benchmarkMarkdown(report));
  return report;
}

const columns = "dataset,method,effort,reduced,acc,accSd,accPaper,nmi,nmiSd,nmiPaper,seeds,seconds";

/** One line per dataset and method; unknown values are empty. */
export function benchmarkCsv({ tables }: BenchmarkReport): string {
  const lines = tables.flatMap(({ name, rows }) =>
    rows.map(({ method, effort, reduced, acc, nmi, paper, seeds, seconds }) =>
      csvLine([
        ...[name, method, effort, reduced.length > 0],
        ...[acc.mean, acc.sd, paper.acc, nmi.mean, nmi.sd, paper.nmi],
        ...[seeds.join(" "), seconds],
      ]),
    ),
  );
  return `${[columns, ...lines].join("\n")}\n`;
}
