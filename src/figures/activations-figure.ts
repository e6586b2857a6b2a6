/**
 * Activations as a picture. The encoder goes from left to right, the decoder back below it: each layer is above its
 * reconstruction by the decoder, and the two meet at the feature.
 */
import { InputError } from "../files/errors.ts";
import { pixelCount } from "../images/image.ts";
import type { LayerActivations } from "./activations.ts";
import { largestMagnitude, signedColour } from "./map-colours.ts";
import { type Picture, type PictureOptions, type PlacedTile, pictureOf, pictureToPng, pixelRatio } from "./picture.ts";
import { fittedSize, imageTile, mapTile } from "./raster.ts";
import { fontSizes, group, heading, headingHeight, strengths, text } from "./svg.ts";
import { movedTiles, type TileGrid, tileGrid } from "./tile-grid.ts";

export interface ActivationsOptions extends PictureOptions {
  /** From input to output, as `computeActivations` returns them. */
  readonly activations: readonly LayerActivations[];
  /** The side of a layer's block. Default: 84. */
  readonly size?: number;
  /** Above the figure. Default: none. */
  readonly title?: string;
}

/** Two lines per image, one block of maps per layer, each scaled by its largest value, as a PNG. */
export const activationsFigure = (options: ActivationsOptions): Promise<Uint8Array> =>
  pictureToPng(activationsPicture(options));

const gap = 14;
const nameHeight = 30;
/** Room for the names of the lines. */
const beside = 66;

export function activationsPicture(options: ActivationsOptions): Picture {
  const { activations, size = 84, title } = options;
  const count = expectActivations(activations);
  const top = title === undefined ? 0 : headingHeight;
  const groupHeight = 2 * (size + nameHeight) + gap;
  const places = blockPlaces(activations.length, size);
  const tiles: PlacedTile[] = [];
  const written: string[] = [];
  for (let image = 0; image < count; image++) {
    const groupTop = top + image * (groupHeight + gap);
    written.push(lineNames(groupTop, size));
    activations.forEach((layer, index) => {
      const place = { ...places[index], top: groupTop + places[index].top };
      const block = layerBlock(layer, image, size);
      tiles.push(...movedTiles(block, place.left + (size - block.width) / 2, place.top + (size - block.height) / 2));
      written.push(layerName(layer, place, size));
    });
  }
  const bottom = top + count * (groupHeight + gap);
  const key = colourKey(beside, bottom);
  return pictureOf(
    {
      width: Math.max(...places.map(({ left }) => left)) + size,
      height: bottom + 10,
      title: title ?? "Activations layer by layer",
      tiles: [...tiles, key.tile],
      overlay: [...(title === undefined ? [] : [heading(title)]), ...written, key.written],
    },
    options,
  );
}

interface BlockPlace {
  readonly left: number;
  /** Within the group of an image. */
  readonly top: number;
  /** Whether the name is above or below the block. */
  readonly above: boolean;
}

/** The decoder has as many layers as the encoder, so that the feature is the middle one. */
function blockPlaces(layers: number, size: number): BlockPlace[] {
  const middle = (layers - 1) / 2;
  return Array.from({ length: layers }, (_, index) => {
    const column = Math.min(index, layers - 1 - index);
    const left = beside + column * (size + gap);
    if (index === middle) return { left, top: nameHeight + (size + gap) / 2, above: true };
    return index < middle
      ? { left, top: nameHeight, above: true }
      : { left, top: nameHeight + size + gap, above: false };
  });
}

/** Input and output as images; the maps of other layers side by side, about as many across as down. */
function layerBlock({ layer, map, values }: LayerActivations, image: number, size: number): TileGrid {
  const box = size * pixelRatio;
  const own = values.subarray(image * pixelCount(map), (image + 1) * pixelCount(map));
  if (layer === "input" || layer === "output") return tileGrid([imageTile(own, map, box)], { columns: 1, gap: 0 });
  const area = map.height * map.width;
  const columns = Math.ceil(Math.sqrt(map.channels));
  const gap = area === 1 ? 1 : 2;
  const plane = fittedSize(map, Math.max(1, Math.floor((box + gap) / columns) - gap));
  const largest = largestMagnitude(own) || 1;
  const tiles = Array.from({ length: map.channels }, (_, channel) =>
    mapTile(own.subarray(channel * area, (channel + 1) * area), map, plane, (value) => signedColour(value / largest)),
  );
  return tileGrid(tiles, { columns, gap: gap / pixelRatio });
}

/** The name of a layer and the size of its maps, above or below its block. */
function layerName({ layer, map }: LayerActivations, place: BlockPlace, size: number): string {
  const middle = place.left + size / 2;
  const first = place.above ? place.top - 19 : place.top + size + 14;
  const { channels, height, width } = map;
  return group(
    { "text-anchor": "middle", "font-size": fontSizes.small },
    text(layer, { x: middle, y: first, "font-weight": 600 }),
    text(`${channels} × ${height} × ${width}`, {
      x: middle,
      y: first + 12,
      "font-size": 9,
      "fill-opacity": strengths.text,
    }),
  );
}

const lineNames = (top: number, size: number): string =>
  group(
    { "fill-opacity": strengths.text },
    text("encoder →", { x: 0, y: top + nameHeight + size / 2 + 4 }),
    text("decoder ←", { x: 0, y: top + nameHeight + size + gap + size / 2 + 4 }),
  );

/** The key to the colours. */
function colourKey(left: number, top: number): { tile: PlacedTile; written: string } {
  const size = { height: 8 * pixelRatio, width: 120 * pixelRatio };
  const values = Float32Array.from({ length: size.width }, (_, at) => (2 * at) / (size.width - 1) - 1);
  const tile = mapTile(values, { height: 1, width: size.width }, size, signedColour);
  const label = "from minus the layer's largest activation, through zero, to plus the largest";
  const style = { "font-size": fontSizes.small, "fill-opacity": strengths.text };
  return { tile: { tile, left, top }, written: text(label, { ...style, x: left + 130, y: top + 8 }) };
}

/** Returns the number of images. */
function expectActivations(activations: readonly LayerActivations[]): number {
  if (activations.length < 3 || activations.length % 2 === 0)
    throw new InputError(
      `${activations.length} layers do not make an auto-encoder: give all of them, from input to output`,
    );
  const count = activations[0].values.length / pixelCount(activations[0].map);
  for (const { layer, map, values } of activations)
    if (count < 1 || values.length !== count * pixelCount(map))
      throw new InputError(`layer "${layer}": ${values.length} values do not make ${count} images`);
  return count;
}
