/** The filters that a network has learned, layer by layer (fig. vis-weights). */
import { InputError } from "../files/errors.ts";
import type { Architecture } from "../network/architecture.ts";
import { autoEncoderParameters, encoderParameters } from "../network/layers.ts";
import { parameterView, totalSize } from "../network/parameters.ts";
import { greyColour, largestMagnitude } from "./map-colours.ts";
import { type Picture, type PictureOptions, pictureOf, pictureToPng, pixelRatio } from "./picture.ts";
import { expectCount } from "./ranking.ts";
import { fittedSize, imageTile, mapTile, type Raster } from "./raster.ts";
import { fontSizes, heading, headingHeight, strengths, text, textWidth } from "./svg.ts";
import { type GridOptions, movedTiles, tileGrid } from "./tile-grid.ts";

export interface LayerFilters {
  readonly layer: string;
  /** [filters, depth, height, width]; a deconvolution maps `filters` channels to `depth`. */
  readonly shape: readonly [filters: number, depth: number, height: number, width: number];
  readonly values: Float32Array;
  /** Whether the three channels of its depth are red, green and blue. */
  readonly coloured: boolean;
}

/** The kernels of each convolution, and of each deconvolution if the parameters have a decoder's. */
export function learnedFilters(architecture: Architecture, parameters: Float32Array): LayerFilters[] {
  const both = autoEncoderParameters(architecture);
  const specs = parameters.length === totalSize(both) ? both : encoderParameters(architecture);
  if (parameters.length < totalSize(specs))
    throw new InputError(`network "${architecture.name}" has ${totalSize(specs)} parameters, not ${parameters.length}`);
  const weights = specs.filter(({ name }) => name.endsWith(".weight"));
  const first = weights[0]?.name;
  return weights.map(({ name, shape: [filters, depth, height, width] }) => ({
    layer: name.slice(0, -".weight".length),
    shape: [filters, depth, height, width],
    values: parameterView(parameters, specs, name).slice(),
    coloured: architecture.image.channels === 3 && (name === first || name === `de${first}`),
  }));
}

export interface FiltersOptions extends PictureOptions {
  /** The most filters shown, and the most channels of each: the first ones. Default: 64. */
  readonly most?: number;
}

/**
 * The filters of one layer, as a PNG: those of an image as images, side by side; others with one column per filter and
 * one row per channel. Each is scaled by its own largest weight: mid-grey is zero, white the most, black the least.
 */
export const filtersFigure = (filters: LayerFilters, options: FiltersOptions = {}): Promise<Uint8Array> =>
  pictureToPng(filtersPicture(filters, options));

export function filtersPicture(filters: LayerFilters, options: FiltersOptions = {}): Picture {
  const { most = 64 } = options;
  expectCount(most, "most");
  const { layer, shape, values } = filters;
  if (values.length === 0 || values.length !== shape.reduce((a, b) => a * b, 1))
    throw new InputError(`layer "${layer}": ${values.length} weights do not make filters of ${shape.join("x")}`);
  const shown = Math.min(shape[0], most);
  const normalized = Array.from({ length: shown }, (_, filter) => normalizedFilter(filters, filter));
  const grid =
    shape[1] === 1 || filters.coloured ? wholeFilters(filters, normalized) : channelFilters(filters, normalized, most);
  const drawn = tileGrid(grid.tiles, grid);
  const note = describe(filters, most);
  return pictureOf(
    {
      width: Math.max(drawn.width, textWidth(note, fontSizes.small)),
      height: headingHeight + 16 + drawn.height,
      title: `Filters of ${layer}`,
      tiles: movedTiles(drawn, 0, headingHeight + 16),
      overlay: [
        heading(layer),
        text(note, { x: 0, y: 32, "font-size": fontSizes.small, "fill-opacity": strengths.text }),
      ],
    },
    options,
  );
}

/** From −1 to 1. */
function normalizedFilter({ shape: [, depth, height, width], values }: LayerFilters, filter: number): Float32Array {
  const size = depth * height * width;
  const own = values.subarray(filter * size, (filter + 1) * size);
  const largest = largestMagnitude(own) || 1;
  return own.map((weight) => weight / largest);
}

interface FilterGrid extends GridOptions {
  readonly tiles: readonly Raster[];
}

/** One tile per filter, about as many across as down. */
function wholeFilters({ shape: [, depth, height, width] }: LayerFilters, filters: readonly Float32Array[]): FilterGrid {
  const image = { channels: depth, height, width };
  const tiles = filters.map((filter) =>
    imageTile(
      filter.map((weight) => (weight + 1) / 2),
      image,
      40 * pixelRatio,
    ),
  );
  return { tiles, columns: Math.ceil(Math.sqrt(1.6 * filters.length)), gap: 4 };
}

/** The approximate width of a figure of many filters. */
const wholeWidth = 900;

/** One tile per channel of each filter. */
function channelFilters(
  { shape: [, depth, height, width] }: LayerFilters,
  filters: readonly Float32Array[],
  most: number,
): FilterGrid {
  const area = height * width;
  const room = Math.min(28, Math.max(12, Math.floor(wholeWidth / filters.length)));
  const size = fittedSize({ height, width }, area === 1 ? 8 : room * pixelRatio);
  const tiles = Array.from({ length: Math.min(depth, most) }, (_, channel) =>
    filters.map((filter) =>
      mapTile(filter.subarray(channel * area, (channel + 1) * area), { height, width }, size, greyColour),
    ),
  );
  return { tiles: tiles.flat(), columns: filters.length, gap: area === 1 ? 1 : 2 };
}

function describe({ shape: [filters, depth, height, width], coloured }: LayerFilters, most: number): string {
  const counted = (count: number, what: string): string =>
    count > most ? `the first ${most} of ${count} ${what}` : `${count} ${what}`;
  const kernels = `${counted(filters, "filters")} of ${height} × ${width}`;
  return depth === 1 || coloured ? kernels : `${kernels}, across; ${counted(depth, "channels")}, down`;
}
