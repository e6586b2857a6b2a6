/** The KL loss of a sample against its score for the first of two clusters (fig. kl). */
import { scaleLinear } from "d3-scale";
import { InputError } from "../files/errors.ts";
import { accent, groupColours } from "./colours.ts";
import { type LegendEntry, legend } from "./legend.ts";
import { axisRoom, drawAxes, type PlotArea, plotArea, roundAxis } from "./plot.ts";
import { element, fontSizes, group, heading, headingHeight, polyline, strengths, svgDocument, text } from "./svg.ts";

export interface KlLoss {
  /** L_i1 and L_i2, the terms of the two clusters; one of them is negative. */
  readonly first: number;
  readonly second: number;
  /** L_i, their sum. */
  readonly total: number;
}

/** L_ij = r_ij log(r_ij / s_ij) for the scores s and 1 − s, with r_ij ∝ s_ij^α (eq. R and kl-loss). */
export function klLoss(score: number, alpha: number): KlLoss {
  const odds = score / (1 - score);
  const first = lossTerm(1 / (1 + odds ** -alpha), score);
  const second = lossTerm(1 / (1 + odds ** alpha), 1 - score);
  return { first, second, total: first + second };
}

/** r log(r / s), which tends to zero with r. */
const lossTerm = (r: number, s: number): number => (r === 0 ? 0 : r * Math.log(r / s));

export interface KlLossOptions {
  /** Boosting factors. One is drawn as in the paper, with its terms and regions; several are compared. Default: [2]. */
  readonly alphas?: readonly number[];
  /** Above the figure. Default: none. */
  readonly title?: string;
  /** Default: 520. */
  readonly width?: number;
  /** The height of the plot itself. Default: 260. */
  readonly height?: number;
}

const steps = 250;
const scores = Array.from({ length: steps + 1 }, (_, step) => step / steps);

interface LossCurve extends LegendEntry {
  readonly values: readonly number[];
}

export function klLossFigure({ alphas = [2], title, width = 520, height = 260 }: KlLossOptions = {}): string {
  if (alphas.length === 0) throw new InputError("the loss needs at least one alpha");
  for (const alpha of alphas)
    if (!(alpha > 1) || !Number.isFinite(alpha)) throw new InputError(`alpha must be a number over 1, not ${alpha}`);
  const curves = alphas.length === 1 ? partCurves(alphas[0]) : totalCurves(alphas);
  const top = title === undefined ? 0 : headingHeight;
  const key = legend(curves, { left: 0, top, width, kind: "line" });
  const area = plotArea({ left: 0, top: top + key.height, width, height });
  const values = curves.flatMap((curve) => curve.values);
  const x = scaleLinear([0, 1], [area.left, area.left + area.width]);
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [area.top + height, area.top]).nice(5);
  const lines = curves.map((curve) =>
    element("path", {
      d: polyline(curve.values.map((value, step) => [x(scores[step]), y(value)])),
      stroke: curve.colour,
      "stroke-width": curve.dashed ? 1.5 : 2.5,
      "stroke-dasharray": curve.dashed ? "5 4" : undefined,
    }),
  );
  const xAxis = { ...roundAxis(x, 10), title: "score for the first cluster; 0.5 is a random guess" };
  const body = [
    title === undefined ? "" : heading(title),
    key.body,
    alphas.length === 1 ? drawRegions(curves[0].values, x, area) : "",
    drawAxes(xAxis, { ...roundAxis(y, 5), title: "KL loss" }, area),
    group({ fill: "none", "stroke-linejoin": "round" }, ...lines),
  ];
  return svgDocument({ width, height: area.top + height + axisRoom.bottom }, title ?? "KL loss", ...body);
}

function partCurves(alpha: number): LossCurve[] {
  const losses = scores.map((score) => klLoss(score, alpha));
  const [total, first, second] = groupColours(3);
  return [
    { name: `L, α = ${alpha}`, colour: total, values: losses.map((loss) => loss.total) },
    { name: "L₁", colour: first, dashed: true, values: losses.map((loss) => loss.first) },
    { name: "L₂", colour: second, dashed: true, values: losses.map((loss) => loss.second) },
  ];
}

function totalCurves(alphas: readonly number[]): LossCurve[] {
  const colours = groupColours(alphas.length);
  return alphas.map((alpha, index) => ({
    name: `α = ${alpha}`,
    colour: colours[index],
    values: scores.map((score) => klLoss(score, alpha).total),
  }));
}

/**
 * The regions of the paper: 1 ambiguous, 2 and 3 to be boosted, 4 well categorized. The paper draws no
 * limits; here the scores to be boosted are those whose loss is over half of the largest.
 */
function drawRegions(total: readonly number[], x: (score: number) => number, { top, height }: PlotArea): string {
  const half = Math.max(...total) / 2;
  const start = total.findIndex((loss) => loss >= half);
  const end = start + total.slice(start).findIndex((loss) => loss < half);
  const [from, to] = [x(scores[start]), x(scores[end])];
  const [mirroredFrom, mirroredTo] = [x(1 - scores[end]), x(1 - scores[start])];
  const bands = [
    [from, to],
    [mirroredFrom, mirroredTo],
  ].map(([left, right]) => element("rect", { x: left, y: top, width: right - left, height }));
  const names: [number, string][] = [
    [(x(0) + from) / 2, "4"],
    [(from + to) / 2, "2, 3"],
    [x(0.5), "region 1"],
    [(mirroredFrom + mirroredTo) / 2, "2, 3"],
    [(mirroredTo + x(1)) / 2, "4"],
  ];
  return [
    group({ fill: accent, "fill-opacity": 0.1 }, ...bands),
    group(
      { "font-size": fontSizes.small, "fill-opacity": strengths.text, "text-anchor": "middle" },
      ...names.map(([at, name]) => text(name, { x: at, y: top + 14 })),
    ),
  ].join("\n");
}
