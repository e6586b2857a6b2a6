/** The distribution of the scores for one cluster by epoch: from a random guess to nearly 0 or 1 (fig. vis-hist). */
import { scaleLinear, scaleLog } from "d3-scale";
import { InputError } from "../files/errors.ts";
import { accent } from "./colours.ts";
import { type Axis, axisRoom, drawAxes, type PlotArea, roundAxis, wholeAxis } from "./plot.ts";
import {
  bars,
  element,
  fontSizes,
  group,
  heading,
  headingHeight,
  polyline,
  strengths,
  svgDocument,
  text,
} from "./svg.ts";

/** The number of `scores` [images, k] for `cluster` in each of `bins` equal parts from 0 to 1. */
export function histogramOf(scores: Float32Array, k: number, cluster: number, bins = 50): Uint32Array {
  if (!Number.isInteger(k) || k < 1 || scores.length % k !== 0)
    throw new InputError(`${scores.length} scores do not make rows of ${k} clusters`);
  if (!Number.isInteger(cluster) || cluster < 0 || cluster >= k)
    throw new InputError(`the cluster must be a whole number from 0 to ${k - 1}, not ${cluster}`);
  if (!Number.isInteger(bins) || bins < 1) throw new InputError(`bins must be a whole number from 1, not ${bins}`);
  const counts = new Uint32Array(bins);
  for (let at = cluster; at < scores.length; at += k) {
    // A score slightly over 1 is due to rounding.
    if (!(scores[at] >= 0 && scores[at] <= 1.001))
      throw new InputError(`image ${Math.floor(at / k)}: its score must be from 0 to 1, not ${scores[at]}`);
    counts[Math.min(bins - 1, Math.floor(scores[at] * bins))]++;
  }
  return counts;
}

export interface ScoreHistogram {
  readonly epoch: number;
  /** Images in each of as many equal parts from 0 to 1. */
  readonly counts: Uint32Array;
}

export interface ScoreHistogramsOptions {
  /** One panel each, in this order. */
  readonly histograms: readonly ScoreHistogram[];
  /** The scale of the axis of counts. Default: "linear". */
  readonly counts?: "linear" | "log";
  /** Number of clusters; marks 1/k, the score of a random guess. Default: no mark. */
  readonly k?: number;
  /** Above the figure. Default: none. */
  readonly title?: string;
  /** Panels side by side. Default: 5, as in the paper. */
  readonly columns?: number;
}

const panel = { width: 136, height: 92, gap: 18, title: 22, below: 28 } as const;
const titleBaseline = 14;

export function scoreHistogramsFigure(options: ScoreHistogramsOptions): string {
  const { histograms, k, title, columns = 5 } = options;
  expectHistograms(options);
  const across = Math.min(columns, histograms.length);
  const lines = Math.ceil(histograms.length / across);
  const top = title === undefined ? 0 : headingHeight;
  const lineHeight = panel.title + panel.height + panel.below;
  const panels = histograms.map((histogram, index) => {
    const column = index % across;
    const area: PlotArea = {
      left: axisRoom.left + column * (panel.width + panel.gap),
      top: top + Math.floor(index / across) * lineHeight + panel.title,
      width: panel.width,
      height: panel.height,
    };
    return drawPanel(histogram, area, { ...options, labelled: column === 0 });
  });
  const width = axisRoom.left + across * (panel.width + panel.gap) - panel.gap + axisRoom.right;
  const height = top + lines * lineHeight + 12;
  const note = group(
    { "font-size": fontSizes.label, "fill-opacity": strengths.text },
    text("images", { x: 0, y: top + titleBaseline, "font-size": fontSizes.small }),
    ...(k === undefined ? [] : [text(`┆ random guess, 1/${k}`, { x: axisRoom.left, y: height - 2 })]),
    text("score", { x: width - axisRoom.right, y: height - 2, "text-anchor": "end" }),
  );
  const name = title ?? "Scores by epoch";
  return svgDocument({ width, height }, name, title === undefined ? "" : heading(title), note, ...panels);
}

interface PanelOptions extends ScoreHistogramsOptions {
  /** Whether the counts are written beside the panel. */
  readonly labelled: boolean;
}

function drawPanel({ epoch, counts }: ScoreHistogram, area: PlotArea, options: PanelOptions): string {
  const x = scaleLinear([0, 1], [area.left, area.left + area.width]);
  const { scale, ...axis } = countAxis(options, area);
  const bottom = area.top + area.height;
  const step = area.width / counts.length;
  const gap = Math.min(1, step / 6);
  const columns = Array.from(counts, (count, bin): [number, number, number, number] => {
    const y = count === 0 ? bottom : scale(count);
    return [area.left + bin * step + gap / 2, y, step - gap, bottom - y];
  }).filter(([, , , height]) => height > 0);
  const xAxis = { ...roundAxis(x, 2), format: String };
  const yAxis = { scale, ...axis, ...(options.labelled ? {} : { format: () => "" }) };
  return [
    drawAxes(xAxis, yAxis, area),
    options.k === undefined ? "" : guessMark(x(1 / options.k), area),
    element("path", { d: bars(columns), fill: accent }),
    text(`epoch ${epoch}`, {
      x: area.left,
      y: area.top - panel.title + titleBaseline,
      "font-size": fontSizes.label,
      "font-weight": 600,
    }),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** One axis for all panels, so that they can be compared. */
function countAxis({ histograms, counts }: ScoreHistogramsOptions, { top, height }: PlotArea): Axis {
  const largest = histograms.reduce((most, histogram) => histogram.counts.reduce((a, b) => Math.max(a, b), most), 1);
  if (counts !== "log") return wholeAxis(scaleLinear([0, largest], [top + height, top]).nice(3), 3);
  // From below 1, so that a single image is visible.
  const scale = scaleLog([0.6, largest], [top + height, top]);
  const decades = Array.from({ length: Math.floor(Math.log10(largest)) + 1 }, (_, power) => 10 ** power);
  return { ...wholeAxis(scale, 3), ticks: decades };
}

const guessMark = (x: number, { top, height }: PlotArea): string =>
  element("path", {
    d: polyline([
      [x, top],
      [x, top + height],
    ]),
    stroke: "currentColor",
    "stroke-opacity": strengths.axis,
    "stroke-dasharray": "2 3",
  });

function expectHistograms({ histograms, k, columns = 5 }: ScoreHistogramsOptions): void {
  if (histograms.length === 0) throw new InputError("there are no histograms to draw");
  for (const { epoch, counts } of histograms)
    if (counts.length === 0) throw new InputError(`the histogram of epoch ${epoch} has no bins`);
  if (k !== undefined && !(k >= 1)) throw new InputError(`k must be a whole number from 1, not ${k}`);
  if (!Number.isInteger(columns) || columns < 1)
    throw new InputError(`columns must be a whole number from 1, not ${columns}`);
}
