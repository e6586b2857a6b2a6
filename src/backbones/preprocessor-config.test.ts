import { expect, test } from "vitest";
import { InputError } from "../files/errors.ts";
import { readPreprocessorConfig } from "./preprocessor-config.ts";

const half = { image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] };
const read = (json: unknown) => readPreprocessorConfig(json, "preprocessor_config.json");
const preparationOf = (json: object) => read({ ...half, ...json }).preparation;

test("CLIP: shortest edge, then the middle", () => {
  const config = {
    crop_size: { height: 224, width: 224 },
    do_center_crop: true,
    do_convert_rgb: true,
    do_normalize: true,
    do_rescale: true,
    do_resize: true,
    image_mean: [0.48145466, 0.4578275, 0.40821073],
    image_processor_type: "CLIPImageProcessor",
    image_std: [0.26862954, 0.26130258, 0.27577711],
    resample: 3,
    rescale_factor: 0.00392156862745098,
    size: { shortest_edge: 224 },
  };
  expect(read(config)).toEqual({
    preparation: { resize: { shortestEdge: 224 }, resample: "bicubic", crop: { height: 224, width: 224 } },
    rescale: 0.00392156862745098,
    mean: config.image_mean,
    std: config.image_std,
  });
});

test("an older CLIP says the same with single numbers, and nothing of rescaling", () => {
  const config = { crop_size: 224, do_center_crop: true, size: 224, feature_extractor_type: "CLIPFeatureExtractor" };
  expect(read({ ...half, ...config })).toEqual({
    preparation: { resize: { shortestEdge: 224 }, resample: "bicubic", crop: { height: 224, width: 224 } },
    rescale: 1 / 255,
    mean: half.image_mean,
    std: half.image_std,
  });
});

test("DINOv2: the crop is smaller than the shortest edge", () => {
  const config = { image_processor_type: "BitImageProcessor", size: { shortest_edge: 256 }, resample: 3 };
  expect(preparationOf({ ...config, do_center_crop: true, crop_size: { height: 224, width: 224 } })).toEqual({
    resize: { shortestEdge: 256 },
    resample: "bicubic",
    crop: { height: 224, width: 224 },
  });
});

test("ViT and SigLIP: both sides, no crop, whether their files are old or new", () => {
  const sides = { height: 224, width: 224 };
  const vit = { resize: sides, resample: "bilinear", crop: undefined };
  expect(preparationOf({ size: 224 })).toEqual(vit);
  expect(preparationOf({ size: 224, feature_extractor_type: "ViTFeatureExtractor", resample: 2 })).toEqual(vit);
  expect(preparationOf({ size: sides, image_processor_type: "ViTImageProcessorFast", crop_size: null })).toEqual(vit);
  const siglip = { size: sides, image_processor_type: "SiglipImageProcessor" };
  expect(preparationOf(siglip)).toEqual({ ...vit, resample: "bicubic" });
});

test("DeiT: both sides, then the middle", () => {
  const config = { crop_size: 224, do_center_crop: true, size: 256, feature_extractor_type: "DeiTFeatureExtractor" };
  expect(preparationOf(config)).toEqual({
    resize: { height: 256, width: 256 },
    resample: "bicubic",
    crop: { height: 224, width: 224 },
  });
});

test("ConvNeXt: the crop is a share of what is resized, and large images are stretched", () => {
  const config = { feature_extractor_type: "ConvNextFeatureExtractor", crop_pct: 0.875, resample: 3 };
  expect(preparationOf({ ...config, size: 224 })).toEqual({
    resize: { shortestEdge: 256 },
    resample: "bicubic",
    crop: { height: 224, width: 224 },
  });
  expect(preparationOf({ ...config, crop_pct: 0.95, size: { shortest_edge: 224 } })).toMatchObject({
    resize: { shortestEdge: 235 },
  });
  expect(preparationOf({ ...config, size: { shortest_edge: 384 } })).toMatchObject({
    resize: { height: 384, width: 384 },
    crop: undefined,
  });
});

test("MobileCLIP: no normalization, so that numbers are from 0 to 1", () => {
  const config = { crop_size: { height: 256, width: 256 }, do_center_crop: true, size: { shortest_edge: 256 } };
  expect(read({ ...config, do_normalize: false, resample: 2 })).toEqual({
    preparation: { resize: { shortestEdge: 256 }, resample: "bilinear", crop: { height: 256, width: 256 } },
    rescale: 1 / 255,
    mean: [0, 0, 0],
    std: [1, 1, 1],
  });
});

test("numbers that are not rescaled stay from 0 to 255", () => {
  expect(read({ ...half, size: 32, do_rescale: false }).rescale).toBe(1);
});

test.each([
  ["crop_size", { size: { shortest_edge: 224 } }],
  ["do_resize", { do_resize: false }],
  ["size", {}],
  ["size", { size: "large" }],
  ["size", { size: 0 }],
  ["size.width", { size: { height: 224 } }],
  ["size.shortest_edge", { size: { longest_edge: 224 } }],
  ["size.longest_edge", { size: { shortest_edge: 224, longest_edge: 200 } }],
  ["crop_size.height", { size: 224, do_center_crop: true, crop_size: { width: 224 } }],
  ["crop_size", { size: { shortest_edge: 224 }, do_center_crop: true }],
  ["do_center_crop", { size: 224, do_center_crop: "yes" }],
  ["resample", { size: 224, resample: 6 }],
  ["resample", { size: 224, resample: "bicubic" }],
  ["rescale_factor", { size: 224, rescale_factor: 0 }],
  ["image_mean", { size: 224, image_mean: [0.5] }],
  ["image_std", { size: 224, image_std: [1, 0, 1] }],
  ["crop_pct", { size: { shortest_edge: 224 }, crop_pct: 2 }],
  ["do_flip_channel_order", { size: 224, do_flip_channel_order: true }],
])("%s is refused by its name: %j", (key, json) => {
  expect(() => read({ ...half, ...json })).toThrow(InputError);
  expect(() => read({ ...half, ...json })).toThrow(`preprocessor_config.json: ${key}: `);
});

test("what is no object is refused", () => {
  for (const json of [undefined, null, [], "x"]) expect(() => read(json)).toThrow(InputError);
});
