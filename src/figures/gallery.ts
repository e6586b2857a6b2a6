/** The most typical images of each cluster. */
import { counted } from "../numeric/format.ts";
import { imageRows } from "./image-rows.ts";
import { expectImages, type ImageSource } from "./images.ts";
import { type Picture, type PictureOptions, pictureOf, pictureToPng } from "./picture.ts";
import { type Certain, expectCount, type RankedImage, rankedClusters } from "./ranking.ts";
import { heading, headingHeight } from "./svg.ts";

export interface ClusterRow {
  readonly cluster: number;
  /** Images in the cluster. */
  readonly size: number;
  /** The mean of their scores; NaN where the cluster is empty. */
  readonly meanScore: number;
  /** The images with the highest scores, highest first. */
  readonly typical: readonly RankedImage[];
}

/** The `count` images of each cluster that have the highest scores. */
export function selectTypical(clusters: Certain, count: number): ClusterRow[] {
  expectCount(count, "count");
  return rankedClusters(clusters).map((members, cluster) => ({
    cluster,
    size: members.length,
    meanScore: members.reduce((sum, { score }) => sum + score, 0) / members.length,
    typical: members.slice(0, count),
  }));
}

export interface GalleryOptions extends Certain, PictureOptions {
  readonly images: ImageSource;
  /** Images per cluster. Default: 10. */
  readonly count?: number;
  /** The clusters' names. Default: their numbers. */
  readonly names?: readonly string[];
  /** The side of the square that an image fits. Default: 48. */
  readonly size?: number;
  /** Above the figure. Default: none. */
  readonly title?: string;
}

/** One row per cluster, as a PNG: its number of images, their mean score, and its most typical images. */
export const galleryFigure = (options: GalleryOptions): Promise<Uint8Array> => pictureToPng(galleryPicture(options));

export function galleryPicture(options: GalleryOptions): Picture {
  const { images, count = 10, names, size = 48, title } = options;
  expectImages(images, options.assignments.length);
  const rows = selectTypical(options, count).map(({ cluster, size: members, meanScore, typical }) => ({
    name: names?.[cluster] ?? `Cluster ${cluster}`,
    notes: members === 0 ? ["empty"] : [counted(members, "image"), `mean score ${meanScore.toFixed(2)}`],
    blocks: [typical],
  }));
  const top = title === undefined ? 0 : headingHeight;
  const drawn = imageRows({ source: images, rows, places: count, size, scored: false, top });
  const overlay = [...(title === undefined ? [] : [heading(title)]), ...drawn.overlay];
  return pictureOf({ ...drawn, title: title ?? "Typical images of each cluster", overlay }, options);
}
