/** What a model wants for its images, and how they come to be so; what does not fit is told. */
import { InputError } from "../files/errors.ts";
import type { ModelFacts, TensorFacts } from "../graph/model-facts.ts";
import { type Preparation, preparedSides, type Sides } from "../images/preparation.ts";
import { type BackboneFiles, readDescription } from "./locate.ts";
import { readPreprocessorConfig } from "./preprocessor-config.ts";
import { type PixelInput, type PixelType, pixelTypeCodes, pixelTypes } from "./programs.ts";

/** Of a model that leaves its size free. */
const usualSide = 224;

/** What networks of ImageNet were trained with, where nobody says otherwise. */
const imageNet = { rescale: 1 / 255, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] } as const;

export interface ImageInput {
  readonly pixels: PixelInput;
  readonly preparation: Preparation;
}

export function imageInputOf(facts: ModelFacts, files: BackboneFiles): ImageInput {
  const wanted = expectOneImage(facts, files.model);
  const type = expectPixelType(wanted, files.model);
  const channelsLast = channelsAxis(wanted) === 3;
  const fixed = fixedSides(wanted, channelsLast);
  const { preparation, rescale, mean, std } =
    files.preprocessor === undefined
      ? { ...imageNet, preparation: usualPreparation(fixed) }
      : readPreprocessorConfig(readDescription(files.preprocessor), files.preprocessor);
  return {
    preparation,
    pixels: {
      name: wanted.name,
      type,
      channelsLast,
      image: { channels: 3, ...expectSides(preparation, fixed, files) },
      batch: typeof wanted.shape?.[0] === "number" ? wanted.shape[0] : undefined,
      ...(type === "uint8"
        ? asBytes
        : {
            factor: std.map((value) => (255 * rescale) / value),
            offset: std.map((value, channel) => -mean[channel] / value),
          }),
    },
  };
}

/** A model that takes bytes does the rest itself, whatever its description says: a byte holds nothing normalized. */
const asBytes = { factor: [255, 255, 255], offset: [0, 0, 0] };

/** Sides that the model's input has; undefined where one is free. */
type FixedSides = { readonly [side in keyof Sides]: number | undefined };

/** The middle of the image, with a little less than an eighth cut off around it. */
function usualPreparation(fixed: FixedSides): Preparation {
  const height = fixed.height ?? fixed.width ?? usualSide;
  const width = fixed.width ?? height;
  return {
    resize: { shortestEdge: Math.round((Math.max(height, width) * 256) / 224) },
    resample: "bilinear",
    crop: { height, width },
  };
}

function expectOneImage({ inputs }: ModelFacts, file: string): TensorFacts {
  const images = inputs.filter(({ shape }) => shape === undefined || shape.length === 4);
  const takes = inputs.map(describe).join(", ");
  if (images.length === 0)
    throw new InputError(
      `${file}: takes ${takes || "nothing"}, which is no image; a backbone takes [batch, 3, height, width]`,
      { option: "backbone" },
    );
  if (inputs.length > 1)
    throw new InputError(
      `${file}: takes ${inputs.length} inputs (${takes}), and a backbone takes images alone; of a model that also ` +
        "reads, give the part that sees (vision_model.onnx)",
      { option: "backbone" },
    );
  const [image] = images;
  if (channelsAxis(image) === undefined)
    throw new InputError(
      `${file}: takes ${takes}; a backbone takes images of three channels, [batch, 3, height, width] or ` +
        "[batch, height, width, 3]",
      { option: "backbone" },
    );
  return image;
}

/** Where the three channels are; where sizes are free, in their usual place. undefined: there are not three. */
function channelsAxis({ shape }: TensorFacts): 1 | 3 | undefined {
  if (shape === undefined || shape[1] === 3) return 1;
  if (shape[3] === 3) return 3;
  return typeof shape[1] === "string" && shape[3] !== 1 ? 1 : undefined;
}

function fixedSides({ shape = [] }: TensorFacts, channelsLast: boolean): FixedSides {
  const [height, width] = channelsLast ? shape.slice(1, 3) : shape.slice(2, 4);
  const fixed = (side: number | string | undefined): number | undefined =>
    typeof side === "number" ? side : undefined;
  return { height: fixed(height), width: fixed(width) };
}

/** The preparation must make what the model takes. */
function expectSides(preparation: Preparation, fixed: FixedSides, { model, preprocessor }: BackboneFiles): Sides {
  const made = preparedSides(preparation);
  if (made === undefined) throw new Error("a preprocessor makes images of one size");
  const { height = made.height, width = made.width } = fixed;
  if (height !== made.height || width !== made.width)
    throw new InputError(
      `${model}: takes images of ${height}x${width}, and ${preprocessor} makes ${made.height}x${made.width}; ` +
        "one of the two is of another model",
      { option: "backbone" },
    );
  return made;
}

function expectPixelType(input: TensorFacts, file: string): PixelType {
  const found = pixelTypes.find((type) => pixelTypeCodes[type] === input.elementType);
  if (found !== undefined) return found;
  throw new InputError(`${file}: takes ${describe(input)}, and a backbone takes float32, float16 or uint8`, {
    option: "backbone",
  });
}

/** ONNX's numbers of element types; others are told as numbers. */
const typeNames: Readonly<Record<number, string>> = {
  1: "float32",
  2: "uint8",
  3: "int8",
  6: "int32",
  7: "int64",
  8: "text",
  9: "bool",
  10: "float16",
  11: "float64",
};

const describe = ({ name, elementType, shape }: TensorFacts): string =>
  `${name} ${typeNames[elementType] ?? `type ${elementType}`} [${shape?.join(", ") ?? "?"}]`;
