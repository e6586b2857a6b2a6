/** The history of a run by epoch: ACC and NMI, the share of changed labels, the loss. */
import { InputError } from "../files/errors.ts";
import type { HistoryEntry, Stage } from "../runs/fitted.ts";
import { type Curve, type CurvesOptions, curvesLegend, drawCurves } from "./curves.ts";
import { axisRoom, plotArea } from "./plot.ts";
import { heading, headingHeight, svgDocument } from "./svg.ts";

export interface HistoryOptions {
  readonly history: readonly HistoryEntry[];
  /** The stage to show. Default: "clustering". */
  readonly stage?: Stage;
  /** The names of the metrics; those that the history lacks are left out. Default: acc and nmi. */
  readonly metrics?: readonly string[];
  /** Above the figure. Default: none. */
  readonly title?: string;
  /** The width of each plot. Default: 320. */
  readonly width?: number;
  /** The height of each plot. Default: 190. */
  readonly height?: number;
}

/** Plots of the metrics, the share of changed labels and the loss, side by side; unknown quantities are left out. */
export function historyFigure(options: HistoryOptions): string {
  const { history, stage = "clustering", metrics = ["acc", "nmi"], title, width = 320, height = 190 } = options;
  const entries = history.filter((entry) => entry.stage === stage);
  if (entries.length === 0) throw new InputError(`the history has no epochs of stage "${stage}"`);
  const plots = [metricsPlot(entries, metrics), changedPlot(entries), lossPlot(entries)].filter(
    ({ curves }) => curves.length > 0,
  );
  const top = title === undefined ? 0 : headingHeight;
  const gap = 28;
  const drawn = plots.map((plot, index) => {
    const place = { left: index * (width + gap), top, width, height };
    // Several curves have a legend in the place of a single curve's name.
    const key = plot.quantity === undefined ? `${curvesLegend(plot.curves, place).body}\n` : "";
    return key + drawCurves(plot, plotArea(place));
  });
  const size = {
    width: plots.length * (width + gap) - gap,
    height: top + axisRoom.top + height + axisRoom.bottom,
  };
  return svgDocument(size, title ?? "How the run went", title === undefined ? "" : heading(title), ...drawn);
}

function metricsPlot(entries: readonly HistoryEntry[], names: readonly string[]): CurvesOptions {
  const curves = names.map((name) => curveOf(name.toUpperCase(), entries, ({ metrics }) => metrics?.[name]));
  return { curves: curves.filter(hasValues), percent: true };
}

function changedPlot(entries: readonly HistoryEntry[]): CurvesOptions {
  const curve = curveOf("changed labels", entries, ({ changed }) => changed);
  return { curves: [curve].filter(hasValues), quantity: curve.name, percent: true };
}

function lossPlot(entries: readonly HistoryEntry[]): CurvesOptions {
  return { curves: [curveOf("loss", entries, ({ loss }) => loss)], quantity: "loss" };
}

/** The curve of one quantity, over the entries that have it. */
export function curveOf(
  name: string,
  entries: readonly HistoryEntry[],
  quantityOf: (entry: HistoryEntry) => number | undefined,
): Curve {
  const values = entries.flatMap((entry) => {
    const value = quantityOf(entry);
    return value === undefined ? [] : [{ epoch: entry.epoch, value }];
  });
  return { name, values };
}

const hasValues = ({ values }: Curve): boolean => values.length > 0;
