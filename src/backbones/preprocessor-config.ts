/**
 * Reads Hugging Face's preprocessor_config.json, which says how images become the input of a network: resized, cropped,
 * multiplied by `rescale`, less `mean`, divided by `std`. Files of all ages: before 2023 a size was a single number.
 */
import { type Preparation, preparedSides, type Sides } from "../images/preparation.ts";
import type { Resample } from "../images/resample.ts";
import { ConfigValues, type Rgb, shown } from "./config-values.ts";

export interface Preprocessor {
  /** Its final size is fixed: `preparedSides` knows it. */
  readonly preparation: Preparation;
  readonly rescale: number;
  readonly mean: Rgb;
  readonly std: Rgb;
}

/** Pillow's numbers, in order. */
const resamples: readonly Resample[] = ["nearest", "lanczos", "bilinear", "bicubic", "box", "hamming"];

/** Processors that understand a single number as the shortest edge, and not as both sides. */
const byShortestEdge = /^(CLIP|ChineseCLIP|Bit|ConvNext|MobileNet|MobileViT|PoolFormer)/;
/** Processors that are bicubic unless their file says otherwise; others are bilinear. */
const bicubicByDefault = /^(CLIP|ChineseCLIP|Bit|DeiT|Beit|Siglip|ConvNext|PoolFormer)/;
/** What would change the pixels in a way that is not done here. */
const refused = ["do_flip_channel_order", "do_pad", "do_thumbnail", "do_align_long_axis", "do_image_splitting"];

/** From this size on ConvNeXt's images are stretched and not cropped. */
const convNextStretched = 384;

/** `json` is the parsed content of `file`, which messages name. */
export function readPreprocessorConfig(json: unknown, file: string): Preprocessor {
  const config = new ConfigValues(json, file);
  for (const key of refused) if (config.flag(key, false)) throw config.error(key, "true is not supported; set false");
  const preparation = preparationOf(config);
  if (preparedSides(preparation) === undefined)
    throw config.error(
      preparation.resize === undefined ? "do_resize" : "crop_size",
      "the size of the input depends on the image; add do_center_crop and crop_size, or height and width to size",
    );
  const normalized = config.flag("do_normalize", true);
  return {
    preparation,
    rescale: config.flag("do_rescale", true) ? config.positive("rescale_factor", 1 / 255) : 1,
    mean: normalized ? config.rgb("image_mean", Number.NEGATIVE_INFINITY) : [0, 0, 0],
    std: normalized ? config.rgb("image_std", 0) : [1, 1, 1],
  };
}

function preparationOf(config: ConfigValues): Preparation {
  const resize = config.flag("do_resize", true) ? resizeOf(config) : undefined;
  const common = { resample: resampleOf(config), resize };
  if (resize !== undefined && "shortestEdge" in resize && isCroppedByShare(config))
    return { ...common, ...croppedByShare(resize.shortestEdge, config) };
  const cropped = config.flag("do_center_crop", config.has("crop_size"));
  return { ...common, crop: cropped ? cropOf(config) : undefined };
}

function resampleOf(config: ConfigValues): Resample {
  const standard = bicubicByDefault.test(config.processor) ? "bicubic" : "bilinear";
  const number = config.has("resample") ? config.value("resample") : resamples.indexOf(standard);
  const resample = typeof number === "number" ? resamples[number] : undefined;
  if (resample === undefined)
    throw config.error("resample", `must be a whole number from 0 to 5, not ${shown(number)}`);
  return resample;
}

function resizeOf(config: ConfigValues): NonNullable<Preparation["resize"]> {
  const size = config.value("size");
  if (typeof size === "number") {
    const side = config.side("size", size);
    const shortest =
      config.processor === "" ? config.flag("do_center_crop", false) : byShortestEdge.test(config.processor);
    return shortest ? { shortestEdge: side } : { height: side, width: side };
  }
  const { height, width, shortest_edge: shortest, longest_edge: longest } = config.members("size", size);
  if (height !== undefined || width !== undefined) return sidesOf(config, "size", size);
  const shortestEdge = config.side("size.shortest_edge", shortest);
  if (longest === undefined) return { shortestEdge };
  const longestEdge = config.side("size.longest_edge", longest);
  if (longestEdge <= shortestEdge) throw config.error("size.longest_edge", "must be more than shortest_edge");
  return { shortestEdge, longestEdge };
}

/** Older files may give one size for both. */
const cropOf = (config: ConfigValues): Sides =>
  config.has("crop_size") || typeof config.value("size") !== "number"
    ? sidesOf(config, "crop_size", config.value("crop_size"))
    : sidesOf(config, "size", config.value("size"));

function sidesOf(config: ConfigValues, key: string, value: unknown): Sides {
  if (typeof value === "number") {
    const side = config.side(key, value);
    return { height: side, width: side };
  }
  const { height, width } = config.members(key, value);
  return { height: config.side(`${key}.height`, height), width: config.side(`${key}.width`, width) };
}

const isCroppedByShare = (config: ConfigValues): boolean =>
  config.processor.startsWith("ConvNext") || config.has("crop_pct");

/** ConvNeXt's rule: the crop has the given size, and is this share of what the image is resized to. */
function croppedByShare(size: number, config: ConfigValues): Pick<Preparation, "resize" | "crop"> {
  const sides = { height: size, width: size };
  if (size >= convNextStretched) return { resize: sides, crop: undefined };
  const share = config.positive("crop_pct", 224 / 256);
  if (share > 1) throw config.error("crop_pct", `must be at most 1, not ${share}`);
  return { resize: { shortestEdge: Math.trunc(size / share) }, crop: sides };
}
