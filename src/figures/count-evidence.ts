/** The evidence for each number of clusters, as bars. */
import { scaleLinear } from "d3-scale";
import type { CountEvidence } from "../clustering/cluster-count.ts";
import { InputError } from "../files/errors.ts";
import { groupColours } from "./colours.ts";
import { axisRoom, drawAxes, plotArea, roundAxis, wholeAxis } from "./plot.ts";
import { element, group, heading, headingHeight, svgDocument } from "./svg.ts";

export interface CountEvidenceOptions {
  readonly evidence: readonly CountEvidence[];
  /** The chosen number, whose bar is coloured. Default: none. */
  readonly k?: number | undefined;
  /** Above the figure. Default: none. */
  readonly title?: string;
  /** Default: 560. */
  readonly width?: number;
  /** The height of the plot itself. Default: 220. */
  readonly height?: number;
}

export function countEvidenceFigure(options: CountEvidenceOptions): string {
  const { evidence, k: chosen, title, width = 560, height = 220 } = options;
  if (evidence.length === 0) throw new InputError("there is no evidence to draw; give at least one number of clusters");
  const top = title === undefined ? 0 : headingHeight;
  const area = plotArea({ left: 0, top, width, height });
  const counts = evidence.map(({ k }) => k);
  const x = scaleLinear([Math.min(...counts) - 1, Math.max(...counts) + 1], [area.left, area.left + area.width]);
  const y = scaleLinear([0, Math.max(...evidence.map(({ gap }) => gap))], [area.top + height, area.top]).nice(5);
  const thick = Math.max(1, 0.7 * (x(1) - x(0)));
  const bars = evidence.map(({ k, gap }) =>
    element("path", {
      d: `M${x(k).toFixed(2)} ${y(0)}V${y(Math.max(0, gap)).toFixed(2)}`,
      stroke: k === chosen ? groupColours(1)[0] : "currentColor",
      "stroke-opacity": k === chosen ? 1 : 0.35,
      "stroke-width": thick.toFixed(2),
    }),
  );
  const axes = drawAxes(
    { ...wholeAxis(x, Math.max(2, Math.round(area.width / 60))), title: "clusters" },
    { ...roundAxis(y, 5), title: "gap between links within and between" },
    area,
  );
  const total = area.top + height + axisRoom.bottom;
  const name = title ?? "Evidence for each number of clusters";
  return svgDocument(
    { width, height: total },
    name,
    title === undefined ? "" : heading(title),
    axes,
    group({}, ...bars),
  );
}
