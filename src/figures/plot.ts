/** Axes: ticks at round numbers, a line across at each, titles where reading starts. */
import { element, type FigureSize, fontSizes, group, strengths, text } from "./svg.ts";

/** The part of d3's scales that axes use. */
export interface Scale {
  (value: number): number;
  ticks(count: number): number[];
  tickFormat(count: number, specifier?: string): (tick: number) => string;
}

/** Where marks are drawn. */
export interface PlotArea extends FigureSize {
  readonly left: number;
  readonly top: number;
}

export interface Axis {
  readonly scale: Scale;
  readonly ticks: readonly number[];
  /** The text at a tick. */
  readonly format: (tick: number) => string;
  readonly title?: string | undefined;
}

/** An axis with about `count` ticks at round numbers; `specifier` is d3's: "~%" for percent. */
export const roundAxis = (scale: Scale, count: number, specifier?: string): Axis => ({
  scale,
  ticks: scale.ticks(count),
  format: specifier === undefined ? scale.tickFormat(count) : scale.tickFormat(count, specifier),
});

/** An axis of counts. */
export const wholeAxis = (scale: Scale, count: number): Axis => ({
  scale,
  ticks: scale.ticks(count).filter(Number.isInteger),
  format: scale.tickFormat(count, ",d"),
});

/** Room around the area for the text of `drawAxes`. */
export const axisRoom = { left: 46, right: 12, top: 28, bottom: 36 } as const;

/** The area that remains for marks beside the axes; `height` is that of the area alone. */
export const plotArea = ({ left, top, width, height }: PlotArea): PlotArea => ({
  left: left + axisRoom.left,
  top: top + axisRoom.top,
  width: width - axisRoom.left - axisRoom.right,
  height,
});

export function drawAxes(x: Axis, y: Axis, { left, top, width, height }: PlotArea): string {
  const [right, bottom] = [left + width, top + height];
  const lines = y.ticks.map((tick) =>
    element("path", { d: `M${left} ${Math.round(y.scale(tick)) + 0.5}H${right}`, "stroke-opacity": strengths.grid }),
  );
  const base = element("path", { d: `M${left} ${bottom + 0.5}H${right}`, "stroke-opacity": strengths.axis });
  const below = x.ticks.map((tick) =>
    text(x.format(tick), { x: x.scale(tick), y: bottom + 16, "text-anchor": "middle" }),
  );
  const beside = y.ticks.map((tick) =>
    text(y.format(tick), { x: left - 8, y: y.scale(tick) + 3.8, "text-anchor": "end" }),
  );
  const titles = [
    ...(x.title === undefined ? [] : [text(x.title, { x: right, y: bottom + 33, "text-anchor": "end" })]),
    ...(y.title === undefined ? [] : [text(y.title, { x: left - axisRoom.left, y: top - 14 })]),
  ];
  return [
    group({ stroke: "currentColor", fill: "none" }, ...lines, base),
    group({ "font-size": fontSizes.small, "fill-opacity": strengths.text }, ...below, ...beside),
    group({ "font-size": fontSizes.label, "fill-opacity": strengths.text }, ...titles),
  ]
    .filter((part) => part !== "")
    .join("\n");
}
