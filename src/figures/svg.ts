/**
 * SVG as text. Figures take their ink from `currentColor` and every other colour from a CSS variable with a fallback,
 * so that a page can theme them; on their own they look right on white.
 */

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** To a hundredth of a pixel, which keeps files small. */
const rounded = (value: number): number => Math.round(value * 100) / 100;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function opening(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [` ${key}="${typeof value === "number" ? rounded(value) : escaped(value)}"`];
  });
  return `<${name}${written.join("")}`;
}

/** An element, with each child on a line of its own. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const start = opening(name, attributes);
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join("\n")}\n</${name}>`;
}

export const group = (attributes: Attributes, ...children: readonly string[]): string =>
  children.length === 0 ? "" : element("g", attributes, ...children);

export const text = (content: string, attributes: Attributes): string =>
  `${opening("text", attributes)}>${escaped(content)}</text>`;

/** A path through points, in the coordinates of the figure. */
export const polyline = (points: Iterable<readonly [number, number]>): string =>
  Array.from(points, ([x, y], index) => `${index === 0 ? "M" : "L"}${rounded(x)} ${rounded(y)}`).join("");

/** A path that is a dot at each point when it is stroked with round ends. */
export const dots = (points: Iterable<readonly [number, number]>): string =>
  Array.from(points, ([x, y]) => `M${rounded(x)} ${rounded(y)}h0`).join("");

/** A path of rectangles. */
export const bars = (rectangles: Iterable<readonly [x: number, y: number, width: number, height: number]>): string =>
  Array.from(rectangles, ([x, y, width, height]) => {
    const [left, top, across, down] = [x, y, width, height].map(rounded);
    return `M${left} ${top}h${across}v${down}h${-across}z`;
  }).join("");

/** Sizes of type, in pixels. */
export const fontSizes = { title: 15, heading: 13, label: 12, small: 10.5 } as const;

/** The opacities of secondary ink. */
export const strengths = { text: 0.68, axis: 0.4, grid: 0.13 } as const;

const fonts = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** An upper estimate of a text's width: fonts differ from machine to machine. */
export const textWidth = (content: string, size: number): number => 0.62 * size * content.length;

/** Text cut to a width, with an ellipsis where something is missing. */
export function shortened(content: string, size: number, width: number): string {
  const most = Math.max(1, Math.floor(width / (0.62 * size)));
  return content.length <= most ? content : `${content.slice(0, most - 1)}…`;
}

export interface FigureSize {
  readonly width: number;
  readonly height: number;
}

/** Around every figure. */
export const margin = 12;

/** A whole figure, whose body has this size without the margin. `title` is for screen readers. */
export function svgDocument({ width, height }: FigureSize, title: string, ...body: readonly string[]): string {
  const [across, down] = [rounded(width + 2 * margin), rounded(height + 2 * margin)];
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    width: across,
    height: down,
    viewBox: `${-margin} ${-margin} ${across} ${down}`,
    role: "img",
    "aria-label": title,
    "font-family": fonts,
    "font-size": fontSizes.label,
    fill: "currentColor",
  };
  return `${element("svg", attributes, ...body.filter((part) => part !== ""))}\n`;
}

/** The room of a heading above everything else. */
export const headingHeight = 30;

export const heading = (title: string): string =>
  text(title, { x: 0, y: 14, "font-size": fontSizes.title, "font-weight": 600 });
