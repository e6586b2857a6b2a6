/** Progress in words and bars. */
import type { EpochEvent } from "../methods/training/progress.ts";
import { counted, formatBytes, formatSeconds, percent, portion, whole } from "../numeric/format.ts";
import type { Stage } from "../runs/fitted.ts";
import type { Line, Span, Style } from "./live-area.ts";
import type { PlannedRun } from "./planned-run.ts";
import type { StageProgress } from "./stage-progress.ts";
import { aboutTime } from "./time-left.ts";

/** A stage in the words of the display. */
export const stageNames = {
  layers: "layer by layer",
  "auto-encoder": "stage I, auto-encoder",
  "over-clustering": "over-clustering",
  partitions: "partitions",
  clustering: "stage II, clustering",
} as const satisfies Record<Stage, string>;

/** What a stage counts. */
const unitOf = (stage: Stage): string => (stage === "partitions" ? "partition" : "epoch");

/** For logs: all that there is to tell of an epoch. */
export function epochLine({ stage, epoch, epochs, loss, changed }: EpochEvent): string {
  const moved = changed === undefined ? "" : `, ${(100 * changed).toFixed(2)} % changed cluster`;
  return `${stageNames[stage]}, ${unitOf(stage)} ${epoch} of ${epochs}: loss ${loss.toPrecision(4)}${moved}`;
}

interface Symbols {
  readonly done: string;
  readonly current: string;
  readonly toCome: string;
  readonly stopped: string;
  readonly bar: readonly [full: string, empty: string];
}

const unicode: Symbols = { done: "✓", current: "●", toCome: "○", stopped: "■", bar: ["━", "─"] };
const ascii: Symbols = { done: "+", current: ">", toCome: ".", stopped: "!", bar: ["#", "."] };

/** The console of Linux without a desktop has few characters. */
const symbols = (): Symbols => (process.env.TERM === "linux" ? ascii : unicode);

/** What stays of a stage. */
export function doneLine(stage: StageProgress, columns: number): Line {
  const { epochs, epochsDone } = stage;
  const all = counted(epochs, unitOf(stage.stage));
  const length = epochsDone >= epochs ? all : `${whole(epochsDone)} of ${all}`;
  const parts = stage.begun ? [length, ...ending(stage)] : ["nothing left to do"];
  return marked(symbols().done, "good", stage, parts, columns);
}

/** What stays of a stage that was interrupted, or failed. */
export function stoppedLine(stage: StageProgress, columns: number): Line {
  const { epochs, epochsDone } = stage;
  const after = `stopped after ${whole(epochsDone)} of ${counted(epochs, unitOf(stage.stage))}`;
  return marked(symbols().stopped, "alarming", stage, [after, ...ending(stage)], columns);
}

interface Frame {
  readonly columns: number;
  /** In seconds. */
  readonly now: number;
}

interface RunFrame extends Frame {
  /** What comes after the stages. */
  readonly next?: string;
}

/** The stage under way, those to come, and all of them together. */
export function runLines(run: PlannedRun, { columns, now, ...rest }: RunFrame): readonly Line[] {
  const { current } = run;
  const toCome = run.stages.filter((stage) => stage !== current && stage.state !== "done");
  return [
    ...(current === undefined ? [] : [currentLine(current, columns)]),
    ...toCome.map((stage) => toComeLine(stage, columns)),
    [...bar(run.share, columns), { text: wholeText(run, { columns: columns - barWidth(columns), now, ...rest }) }],
  ];
}

function wholeText(run: PlannedRun, { columns, now, next }: RunFrame): string {
  const share = percent(run.share);
  const soFar = `${formatSeconds(run.seconds(now))} so far`;
  // What a method does after its last stage is not announced.
  if (run.current === undefined) return fitting("", ["finishing", soFar], columns);
  const seconds = run.secondsLeft(now);
  if (seconds === undefined) return fitting("", [share, soFar], columns);
  const left = `${aboutTime(seconds)} left`;
  const longer = next === undefined ? left : `${left} before ${next}`;
  const short = fitting("", [share, left], columns);
  const long = fitting("", [share, longer, soFar], columns);
  return long.length < short.length ? short : long;
}

function currentLine(stage: StageProgress, columns: number): Line {
  const { epoch, epochs, state } = stage;
  const parts =
    state === "to come"
      ? ["preparing"]
      : [`${unitOf(stage.stage)} ${whole(epoch)} of ${whole(epochs)}`, ...lossText(stage), ...changedText(stage)];
  return marked(symbols().current, "active", stage, parts, columns);
}

function toComeLine({ stage, epochs, epochsDone }: StageProgress, columns: number): Line {
  const left = counted(epochs - epochsDone, unitOf(stage));
  const text = fitting(`${symbols().toCome} ${stageNames[stage]}`, [left], columns);
  return [{ text, style: "faint" }];
}

/** A task that is no stage. */
export interface Step {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  /** In seconds. */
  readonly began: number;
  /** How much was done when it began. */
  readonly from: number;
  /** Of bytes, the rate is told too. */
  readonly unit: "things" | "bytes";
}

export function stepLine({ name, done, total, began, from, unit }: Step, { columns, now }: Frame): Line {
  const seconds = now - began;
  const rate = (done - from) / seconds;
  const known = done > from && done < total && seconds >= 1;
  const left = known ? [`${aboutTime((total - done) / rate)} left`] : [];
  const amount = unit === "bytes" ? formatBytes : whole;
  const speed = known && unit === "bytes" ? [`${formatBytes(rate)}/s`] : [];
  const parts = [`${name}: ${amount(done)} of ${amount(total)}`, ...left, ...speed];
  return [...bar(done / total, columns), { text: fitting("", parts, columns - barWidth(columns)) }];
}

const ending = (stage: StageProgress): readonly string[] => [...lossText(stage), formatSeconds(stage.seconds)];

const lossText = ({ loss }: StageProgress): readonly string[] =>
  loss === undefined ? [] : [`loss ${loss.toPrecision(4)}`];

const changedText = ({ changed }: StageProgress): readonly string[] =>
  changed === undefined ? [] : [`${portion(changed)} changed cluster`];

function marked(mark: string, style: Style, { stage }: StageProgress, parts: readonly string[], columns: number): Line {
  return [{ text: mark, style }, { text: fitting(` ${stageNames[stage]}`, parts, columns - 1) }];
}

/** The first parts, as many as there is room for; the most important come first. */
function fitting(name: string, parts: readonly string[], columns: number): string {
  let text = name;
  for (const part of parts) {
    const longer = text === "" ? part : `${text}${text === name ? ": " : ", "}${part}`;
    if (longer.length > columns) break;
    text = longer;
  }
  return text.slice(0, columns);
}

/** Columns of the bar with the space after it; none where words need them all. */
const barWidth = (columns: number): number => (columns < 40 ? 0 : columns < 60 ? 14 : 28);

function bar(share: number, columns: number): readonly Span[] {
  const width = barWidth(columns) - 2;
  if (width < 0) return [];
  const [full, empty] = symbols().bar;
  const filled = Math.floor(Math.min(1, share) * width);
  return [
    { text: full.repeat(filled), style: "active" },
    { text: empty.repeat(width - filled), style: "faint" },
    { text: "  " },
  ];
}
