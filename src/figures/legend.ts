/** The key to a figure's colours: entries side by side, on as many lines as needed. */
import { element, fontSizes, group, polyline, text, textWidth } from "./svg.ts";

export interface LegendEntry {
  readonly name: string;
  /** As CSS. */
  readonly colour: string;
  /** Drawn as dashes. Default: false. */
  readonly dashed?: boolean;
}

export interface Legend {
  readonly height: number;
  readonly body: string;
}

const lineHeight = 20;
const swatches = { line: 22, dot: 10 } as const;
const gap = 16;

type MarkKind = keyof typeof swatches;

/** `kind` is the shape of the marks; (left, top) is the upper left corner. */
export function legend(
  entries: readonly LegendEntry[],
  { left, top, width, kind }: { left: number; top: number; width: number; kind: MarkKind },
): Legend {
  const swatch = swatches[kind];
  const longest = Math.max(...entries.map(({ name }) => textWidth(name, fontSizes.label)));
  const column = swatch + 6 + longest + gap;
  // Many entries are easier to read in columns of one width.
  const even = entries.length * column > width;
  const columns = Math.max(1, Math.floor(width / column));
  let x = 0;
  const drawn = entries.map((entry, index) => {
    const place = even ? { x: (index % columns) * column, line: Math.floor(index / columns) } : { x, line: 0 };
    x += swatch + 6 + textWidth(entry.name, fontSizes.label) + gap;
    return drawEntry(entry, left + place.x, top + place.line * lineHeight + lineHeight / 2, kind);
  });
  const lines = even ? Math.ceil(entries.length / columns) : 1;
  return { height: lines * lineHeight, body: group({ "font-size": fontSizes.label }, ...drawn) };
}

function drawEntry({ name, colour, dashed = false }: LegendEntry, x: number, y: number, kind: MarkKind): string {
  const swatch = swatches[kind];
  const mark =
    kind === "line"
      ? element("path", {
          d: polyline([
            [x, y],
            [x + swatch, y],
          ]),
          stroke: colour,
          "stroke-width": 2.5,
          "stroke-dasharray": dashed ? "5 4" : undefined,
        })
      : element("circle", { cx: x + swatch / 2, cy: y, r: swatch / 2, fill: colour });
  return [mark, text(name, { x: x + swatch + 6, y: y + 4 })].join("\n");
}
