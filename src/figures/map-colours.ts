/** Colours of the values of a map. */
import { byte, type Rgb } from "./raster.ts";

const zero: Rgb = [0, 0, 4];
const positive: readonly Rgb[] = [zero, [81, 18, 124], [183, 55, 121], [252, 137, 97], [252, 253, 191]];
const negative: readonly Rgb[] = [zero, [8, 48, 92], [24, 104, 156], [104, 188, 214], [222, 248, 255]];

/** From −1 to 1: zero is black, larger magnitudes are lighter, warm above zero and cold below. */
export const signedColour = (value: number): Rgb =>
  between(value < 0 ? negative : positive, Math.min(Math.abs(value), 1));

/** The colour at a fraction of the way along a sequence of colours. */
function between(colours: readonly Rgb[], share: number): Rgb {
  const place = share * (colours.length - 1);
  const index = Math.min(Math.floor(place), colours.length - 2);
  const [from, to] = [colours[index], colours[index + 1]];
  const mixed = (channel: number): number =>
    Math.round(from[channel] + (place - index) * (to[channel] - from[channel]));
  return [mixed(0), mixed(1), mixed(2)];
}

/** From −1 to 1: zero is mid-grey. */
export function greyColour(value: number): Rgb {
  const grey = byte((value + 1) / 2);
  return [grey, grey, grey];
}

export const largestMagnitude = (values: Float32Array): number =>
  values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
