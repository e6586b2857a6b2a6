/** Curves of one quantity over the epochs, as in the paper's ablations (fig. ablations), or over other steps. */
import { scaleLinear } from "d3-scale";
import { InputError } from "../files/errors.ts";
import { groupColours } from "./colours.ts";
import { legend } from "./legend.ts";
import { type Axis, axisRoom, drawAxes, type PlotArea, plotArea, roundAxis, type Scale, wholeAxis } from "./plot.ts";
import { dots, element, group, heading, headingHeight, polyline, svgDocument } from "./svg.ts";

export interface CurvePoint {
  readonly epoch: number;
  readonly value: number;
}

export interface Curve {
  readonly name: string;
  readonly values: readonly CurvePoint[];
}

export interface CurvesOptions {
  readonly curves: readonly Curve[];
  /** The quantity shown: "ACC". Default: the curves' names say it. */
  readonly quantity?: string;
  /** What is along the axis in place of epochs: its name, and the texts at 0, 1, 2 and so on. Default: epochs. */
  readonly steps?: { readonly title: string; readonly names: readonly string[] };
  /** Above the figure. Default: none. */
  readonly title?: string;
  /** Writes values, which are shares, as percentages. Default: false. */
  readonly percent?: boolean;
  /** The smallest and the largest value of the axis. Default: those of the curves, rounded. */
  readonly range?: readonly [number, number];
  /** Default: 560. */
  readonly width?: number;
  /** The height of the plot itself. Default: 260. */
  readonly height?: number;
}

export function curvesFigure(options: CurvesOptions): string {
  const { curves, quantity, steps, title, width = 560, height = 260 } = options;
  const top = title === undefined ? 0 : headingHeight;
  const key = curvesLegend(curves, { top, width });
  const area = plotArea({ left: 0, top: top + key.height, width, height });
  const total = area.top + height + axisRoom.bottom;
  const parts = [title === undefined ? "" : heading(title), key.body, drawCurves(options, area)];
  return svgDocument(
    { width, height: total },
    title ?? `${quantity ?? "values"} by ${steps?.title ?? "epoch"}`,
    ...parts,
  );
}

export function curvesLegend(curves: readonly Curve[], { left = 0, top = 0, width = 0 }) {
  const colours = groupColours(curves.length);
  const entries = curves.map(({ name }, index) => ({ name, colour: colours[index] }));
  return legend(entries, { left, top, width, kind: "line" });
}

/** With more epochs than this, a dot at each would hide the curve. */
const fewEpochs = 24;

/** Axes and curves. */
export function drawCurves({ curves, quantity, steps, percent = false, range }: CurvesOptions, area: PlotArea): string {
  expectCurves(curves);
  const points = curves.flatMap(({ values }) => values);
  const [low, high] = range ?? spread(points.map(({ value }) => value));
  const [first, last] = spread(steps === undefined ? points.map(({ epoch }) => epoch) : [...steps.names.keys()]);
  const x = scaleLinear([first, last], [area.left, area.left + area.width]);
  const y = scaleLinear([low, high], [area.top + area.height, area.top]);
  if (range === undefined) y.nice(5);
  const colours = groupColours(curves.length);
  const drawn = curves.map(({ values }, index) => {
    const places = values.map(({ epoch, value }): [number, number] => [x(epoch), y(value)]);
    const line = element("path", { d: polyline(places), stroke: colours[index], "stroke-width": 2 });
    const marks = element("path", { d: dots(places), stroke: colours[index], "stroke-width": 5 });
    return places.length > fewEpochs ? line : `${line}\n${marks}`;
  });
  const xAxis = steps === undefined ? epochAxis(x, area) : stepAxis(x, steps);
  const yAxis = { ...roundAxis(y, 5, percent ? "~%" : undefined), title: quantity };
  return [
    drawAxes(xAxis, yAxis, area),
    group({ fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round" }, ...drawn),
  ].join("\n");
}

const epochAxis = (scale: Scale, { width }: PlotArea): Axis => ({
  ...wholeAxis(scale, Math.max(2, Math.round(width / 60))),
  title: "epoch",
});

const stepAxis = (scale: Scale, { title, names }: NonNullable<CurvesOptions["steps"]>): Axis => ({
  scale,
  ticks: [...names.keys()],
  format: (step) => names[step],
  title,
});

/** The smallest and the largest value, with a margin if there is only one. */
function spread(values: readonly number[]): [number, number] {
  const least = values.reduce((a, b) => Math.min(a, b));
  const greatest = values.reduce((a, b) => Math.max(a, b));
  const margin = least === greatest ? Math.max(Math.abs(least) / 10, 0.5) : 0;
  return [least - margin, greatest + margin];
}

function expectCurves(curves: readonly Curve[]): void {
  if (curves.every(({ values }) => values.length === 0))
    throw new InputError("there is nothing to draw; give at least one curve with a value");
  for (const { name, values } of curves)
    for (const { epoch, value } of values)
      if (!Number.isFinite(epoch) || !Number.isFinite(value))
        throw new InputError(`curve "${name}": epoch ${epoch} has the value ${value}; leave it out`);
}
