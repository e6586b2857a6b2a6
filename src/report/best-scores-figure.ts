/** A histogram of the images' best scores. */
import { scaleLinear } from "d3-scale";
import { accent } from "../figures/colours.ts";
import { axisRoom, drawAxes, plotArea, roundAxis, wholeAxis } from "../figures/plot.ts";
import { bars, element, svgDocument } from "../figures/svg.ts";

const bins = 50;
const height = 190;

export function bestScoresFigure(scores: ArrayLike<number>, { width }: { width: number }): string {
  const counts = new Array<number>(bins).fill(0);
  for (const score of Array.from(scores)) counts[Math.min(bins - 1, Math.floor(score * bins))]++;
  const area = plotArea({ left: 0, top: 0, width, height });
  const bottom = area.top + area.height;
  const x = scaleLinear([0, 1], [area.left, area.left + area.width]);
  const y = scaleLinear([0, Math.max(...counts)], [bottom, area.top]).nice(4);
  const columns = counts.map((count, bin): [number, number, number, number] => [
    x(bin / bins) + area.width / bins / 8,
    y(count),
    (area.width / bins) * 0.75,
    bottom - y(count),
  ]);
  const axes = drawAxes({ ...roundAxis(x, 5), title: "best score" }, { ...wholeAxis(y, 4), title: "images" }, area);
  return svgDocument(
    { width, height: bottom + axisRoom.bottom },
    "Histogram of the best scores",
    axes,
    element("path", { d: bars(columns.filter(([, , , tall]) => tall > 0)), fill: accent }),
  );
}
