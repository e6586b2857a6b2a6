/** The numbers of all cells over their seeds: of each set, what each variant has after how many answers. */
import type { ImageSize } from "../../images/image.ts";
import type { Versions } from "../../runs/versions.ts";
import type { Machine } from "../machine.ts";
import { distinct } from "../report.ts";
import type { ClicksRecord } from "./clicks-cell.ts";
import { comparisonNames } from "./comparisons.ts";
import { clicksSets } from "./defaults.ts";
import type { Judgement } from "./simulated-person.ts";
import { variantNames, variants } from "./variants.ts";

/** Over the seeds. */
export interface Range {
  readonly mean: number;
  readonly least: number;
  readonly greatest: number;
}

export interface SeriesPoint {
  readonly answers: number;
  readonly acc: Range;
  readonly nmi: Range;
  readonly seeds: readonly number[];
}

export interface Series {
  readonly name: string;
  readonly points: readonly SeriesPoint[];
}

export interface ClicksTable {
  readonly name: string;
  readonly count: number;
  readonly image: ImageSize;
  readonly k: number;
  /** After which numbers of answers something was measured. */
  readonly answers: readonly number[];
  readonly series: readonly Series[];
  /** Of a refinement. */
  readonly seconds?: Range;
}

export interface ClicksReport {
  readonly format: string;
  readonly commands: readonly string[];
  readonly versions: readonly Versions[];
  readonly machines: readonly Machine[];
  readonly tables: readonly ClicksTable[];
}

export function clicksReport(records: readonly ClicksRecord[]): ClicksReport {
  const names = [...new Set(records.map(({ dataset }) => dataset.name))].sort((a, b) => placeOf(a) - placeOf(b));
  return {
    format: "boostcluster clicks 1",
    commands: distinct(records.flatMap(({ command }) => command ?? [])),
    versions: distinct(records.map(({ versions }) => versions)),
    machines: distinct(records.map(({ machine }) => machine)),
    tables: names.map((name) => tableOf(records.filter(({ dataset }) => dataset.name === name))),
  };
}

/** The usual sets first. */
function placeOf(name: string): number {
  const place = clicksSets.indexOf(name);
  return place < 0 ? clicksSets.length : place;
}

function tableOf(records: readonly ClicksRecord[]): ClicksTable {
  const [{ dataset, k }] = records;
  const { name, count, image } = dataset;
  const points = records.flatMap((record) => record.points);
  const seconds = points.filter(({ given }) => given > 0).map((point) => point.seconds);
  return {
    name,
    count,
    image,
    k,
    answers: [...new Set(points.map(({ answers }) => answers))].sort((a, b) => a - b),
    series: seriesOf(records),
    ...(seconds.length === 0 ? {} : { seconds: rangeOf(seconds) }),
  };
}

/** One judgement, and what it is of. */
interface Measured extends Judgement {
  readonly series: string;
  readonly answers: number;
  readonly seed: number;
}

function seriesOf(records: readonly ClicksRecord[]): Series[] {
  const measured = records.flatMap(measuredIn);
  const names = [...variantNames.map((variant) => variants[variant].title), ...comparisonNames];
  return names.flatMap((name) => {
    const own = measured.filter(({ series }) => series === name);
    const answers = [...new Set(own.map((one) => one.answers))].sort((a, b) => a - b);
    const points = answers.map((count) =>
      pointOf(
        count,
        own.filter((one) => one.answers === count),
      ),
    );
    return points.length === 0 ? [] : [{ name, points }];
  });
}

const measuredIn = ({ variant, seed, points }: ClicksRecord): Measured[] =>
  points.flatMap(({ answers, acc, nmi, comparisons }) => [
    { series: variants[variant].title, answers, seed, acc, nmi },
    ...comparisonNames.flatMap((series) =>
      comparisons === undefined ? [] : [{ series, answers, seed, ...comparisons[series] }],
    ),
  ]);

const pointOf = (answers: number, measured: readonly Measured[]): SeriesPoint => ({
  answers,
  acc: rangeOf(measured.map(({ acc }) => acc)),
  nmi: rangeOf(measured.map(({ nmi }) => nmi)),
  seeds: measured.map(({ seed }) => seed).sort((a, b) => a - b),
});

const rangeOf = (values: readonly number[]): Range => ({
  mean: values.reduce((sum, value) => sum + value, 0) / values.length,
  least: Math.min(...values),
  greatest: Math.max(...values),
});
