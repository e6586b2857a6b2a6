/** `boostcluster benchmark --clicks`: what the answers of a simulated person teach, told as it is measured. */
import { clicksName } from "../benchmark/clicks/clicks-cell.ts";
import type { ClicksReport, ClicksTable } from "../benchmark/clicks/report.ts";
import { clicksRows, writeClicksReport } from "../benchmark/clicks/report-files.ts";
import { type ClicksEvent, type ClicksOptions, runClicks } from "../benchmark/clicks/run-clicks.ts";
import { terminalTable } from "../benchmark/table-text.ts";
import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { formatSeconds } from "../numeric/format.ts";
import type { CommandContext } from "./command.ts";
import { untilInterrupted } from "./interruption.ts";
import type { OptionSpecs } from "./options.ts";
import { displaying } from "./progress.ts";
import type { ProgressDisplay } from "./progress-display.ts";
import { inShellWords } from "./shell-words.ts";

export interface ClicksRequest extends Omit<ClicksOptions, "open" | "onEvent" | "signal"> {
  readonly json: boolean;
  /** How progress is shown. */
  readonly display: Parameters<typeof displaying>[0];
  /** Those of the command, to name them in messages. */
  readonly optionSpecs: OptionSpecs;
  readonly open: (source: string, display: ProgressDisplay) => Promise<Dataset>;
}

export async function clicksBenchmark(context: CommandContext, request: ClicksRequest): Promise<void> {
  const { json, display: shown, optionSpecs, open, ...options } = request;
  const { out } = options;
  const failures: string[] = [];
  await displaying(shown, (display) =>
    untilInterrupted(out, context, () =>
      runClicks({
        ...options,
        open: (source) => open(source, display),
        signal: context.signal,
        onEvent: (event) => {
          if (event.kind === "failed") failures.push(inShellWords(event.failure, event.option, optionSpecs));
          else showEvent(event, display);
        },
      }),
    ),
  );
  const report = writeClicksReport(out);
  if (report.tables.length > 0) context.print(json ? JSON.stringify(report) : reportText(report, out));
  if (failures.length > 0) throw new InputError(failures.join("\n"));
}

function showEvent(event: Exclude<ClicksEvent, { kind: "failed" }>, display: ProgressDisplay): void {
  if (event.kind === "progress") display.show(event.event);
  else {
    display.end();
    display.line(eventLine(event));
  }
}

function eventLine(event: Exclude<ClicksEvent, { kind: "failed" | "progress" }>): string {
  if (event.kind === "run") return `${event.name}: its clusters, to begin with`;
  const name = clicksName(event.cell);
  if (event.kind === "kept") return `${name}: done before`;
  const { answers, acc, nmi, seconds } = event.point;
  const learned = answers === 0 ? "" : `, learned in ${formatSeconds(seconds)}`;
  return `${name}: ${answers} answers, ACC ${acc.toFixed(3)}, NMI ${nmi.toFixed(3)}${learned}`;
}

const reportText = ({ tables }: ClicksReport, out: string): string =>
  [...tables.map(tableText), `results: ${out} (clicks.md, clicks.json, a figure of each set)`].join("\n\n");

const tableText = (table: ClicksTable): string =>
  terminalTable({
    title: `${table.name}: ACC after so many answers`,
    columns: ["answers", ...table.series.map(({ name }) => name)],
    rows: clicksRows(table, "acc"),
    notes: [],
  });
