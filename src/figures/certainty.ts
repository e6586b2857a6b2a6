/** The most and the least certain images of each cluster. */
import { counted } from "../numeric/format.ts";
import { imageRows } from "./image-rows.ts";
import { expectImages, type ImageSource } from "./images.ts";
import { type Picture, type PictureOptions, pictureOf, pictureToPng } from "./picture.ts";
import { type Certain, expectCount, type RankedImage, rankedClusters } from "./ranking.ts";
import { heading, headingHeight, strengths, text } from "./svg.ts";

export interface CertaintyRow {
  readonly cluster: number;
  /** Images in the cluster. */
  readonly size: number;
  /** The highest scores, highest first. */
  readonly most: readonly RankedImage[];
  /** The lowest scores, lowest first. */
  readonly least: readonly RankedImage[];
}

/** `count` images of each cluster at either end; fewer in a small cluster, so that none is at both. */
export function selectCertainty(clusters: Certain, count: number): CertaintyRow[] {
  expectCount(count, "count");
  return rankedClusters(clusters).map((members, cluster) => {
    const most = members.slice(0, Math.min(count, Math.ceil(members.length / 2)));
    const least = members.slice(most.length).reverse().slice(0, count);
    return { cluster, size: members.length, most, least };
  });
}

export interface CertaintyOptions extends Certain, PictureOptions {
  readonly images: ImageSource;
  /** Images at either end. Default: 7. */
  readonly count?: number;
  /** The clusters' names. Default: their numbers. */
  readonly names?: readonly string[];
  /** The side of the square that an image fits. Default: 42. */
  readonly size?: number;
  /** Above the figure. Default: none. */
  readonly title?: string;
}

/** One row per cluster, as a PNG, each image with its score. */
export const certaintyFigure = (options: CertaintyOptions): Promise<Uint8Array> =>
  pictureToPng(certaintyPicture(options));

export function certaintyPicture(options: CertaintyOptions): Picture {
  const { images, count = 7, names, size = 42, title } = options;
  expectImages(images, options.assignments.length);
  const rows = selectCertainty(options, count).map(({ cluster, size: members, most, least }) => ({
    name: names?.[cluster] ?? `Cluster ${cluster}`,
    notes: [members === 0 ? "empty" : counted(members, "image")],
    blocks: [most, least],
  }));
  const top = title === undefined ? 0 : headingHeight;
  const drawn = imageRows({ source: images, rows, places: count, size, scored: true, top: top + 22 });
  const above = ["most certain", "least certain"].map((name, block) =>
    text(name, { x: drawn.blockLefts[block], y: top + 12, "fill-opacity": strengths.text }),
  );
  const overlay = [...(title === undefined ? [] : [heading(title)]), ...above, ...drawn.overlay];
  return pictureOf({ ...drawn, title: title ?? "The most and the least certain images", overlay }, options);
}
