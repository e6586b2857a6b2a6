/** The colours of groups. */

/** M. A. Petroff, "Accessible color sequences for data visualization", 2021: ten for colour-blind readers. */
const tenColours = [
  "#3f90da",
  "#ffa90e",
  "#bd1f01",
  "#94a4a2",
  "#832db6",
  "#a96b59",
  "#e76300",
  "#b9ac70",
  "#717581",
  "#92dadd",
];

/** The background, for text that must stand out against marks. */
export const paper = "var(--figure-paper, #ffffff)";

/** The colour of figures that need only one. */
export const accent = "var(--figure-1, #3f90da)";

/** A colour for each of `count` groups, as CSS: `--figure-1` to `--figure-10` where there are no more than ten. */
export function groupColours(count: number): string[] {
  if (count <= tenColours.length)
    return tenColours.slice(0, count).map((colour, index) => `var(--figure-${index + 1}, ${colour})`);
  return Array.from({ length: count }, (_, index) => generatedColour(index));
}

/** The same colours without variables, for canvases; those of groups beyond `count` go on with others. */
export const plainColour = (index: number, count: number): string =>
  count <= tenColours.length && index < tenColours.length ? tenColours[index] : generatedColour(index);

/** The golden angle keeps each hue far from those just before; lightness and chroma alternate as well. */
function generatedColour(index: number): string {
  const hue = (index * 137.508) % 360;
  const lightness = [0.66, 0.54, 0.76][index % 3];
  const chroma = [0.16, 0.09][Math.floor(index / 3) % 2];
  const radians = (hue * Math.PI) / 180;
  const channels = fromOklab(lightness, chroma * Math.cos(radians), chroma * Math.sin(radians));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** B. Ottosson's Oklab, in which equal steps look equal, to 8-bit sRGB. */
function fromOklab(lightness: number, a: number, b: number): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((value) => {
    const within = Math.min(Math.max(value, 0), 1);
    const encoded = within <= 0.0031308 ? 12.92 * within : 1.055 * within ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded);
  });
}
