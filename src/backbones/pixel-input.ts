/** What a model wants for its images, and how they come to be so; what does not fit is told. */
import { InputError } from "../files/errors.ts";
import type { ModelFacts, TensorFacts } from "../graph/model-facts.ts";
import { type Preparation, preparedSides, type Sides } from "../images/preparation.ts";
import { type BackboneFiles, readDescription } from "./locate.ts";
import { type Preprocessor, readPreprocessorConfig } from "./preprocessor-config.ts";
import { type PixelInput, type PixelType, pixelTypeCodes } from "./programs.ts";

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
  const fixed = fixedSides(wanted);
  const preprocessor: Preprocessor =
    files.preprocessor === undefined
      ? { ...imageNet, preparation: usualPreparation(fixed ?? { height: usualSide, width: usualSide }) }
      : readPreprocessorConfig(readDescription(files.preprocessor), files.preprocessor);
  const { preparation, rescale, mean, std } = preprocessor;
  const sides = expectSides(preparation, fixed, files);
  return {
    preparation,
    pixels: {
      name: wanted.name,
      type: expectPixelType(wanted, files.model),
      channelsLast: isChannelsLast(wanted),
      image: { channels: 3, ...sides },
      batch: typeof wanted.shape?.[0] === "number" ? wanted.shape[0] : undefined,
      factor: std.map((value) => (255 * rescale) / value),
      offset: std.map((value, channel) => -mean[channel] / value),
    },
  };
}

/** The middle of the image, with a little less than an eighth cut off around it. */
const usualPreparation = ({ height, width }: Sides): Preparation => ({
  resize: { shortestEdge: Math.round((Math.max(height, width) * 256) / 224) },
  resample: "bilinear",
  crop: { height, width },
});

function expectOneImage({ inputs }: ModelFacts, file: string): TensorFacts {
  const images = inputs.filter(({ shape }) => shape === undefined || shape.length === 4);
  const takes = inputs.map(describe).join(", ");
  if (inputs.length === 1 && images.length === 1) return expectColour(images[0], file);
  if (images.length === 0)
    throw new InputError(
      `${file}: takes ${takes || "nothing"}, which is no image; a backbone takes [batch, 3, height, width]`,
      {
        option: "backbone",
      },
    );
  throw new InputError(
    `${file}: takes ${inputs.length} inputs (${takes}), and a backbone takes images alone; of a model that also reads, ` +
      "give the part that sees (vision_model.onnx)",
    { option: "backbone" },
  );
}

function expectColour(input: TensorFacts, file: string): TensorFacts {
  const { shape } = input;
  const channels = [shape?.[1], shape?.[3]];
  if (shape === undefined || channels.some((side) => side === 3 || typeof side === "string")) return input;
  throw new InputError(
    `${file}: takes ${describe(input)}; a backbone takes images of three channels, [batch, 3, height, width] or ` +
      "[batch, height, width, 3]",
    { option: "backbone" },
  );
}

const isChannelsLast = ({ shape }: TensorFacts): boolean => shape?.[3] === 3 && shape[1] !== 3;

function fixedSides(input: TensorFacts): Sides | undefined {
  const [height, width] = (isChannelsLast(input) ? input.shape?.slice(1, 3) : input.shape?.slice(2, 4)) ?? [];
  return typeof height === "number" && typeof width === "number" ? { height, width } : undefined;
}

/** The preparation must make what the model takes. */
function expectSides(
  preparation: Preparation,
  fixed: Sides | undefined,
  { model, preprocessor }: BackboneFiles,
): Sides {
  const made = preparedSides(preparation);
  if (made === undefined)
    throw new InputError(
      `${preprocessor ?? model}: images would keep their proportions, and a backbone takes one size; add "do_center_crop" ` +
        'and "crop_size", or "height" and "width" in "size"',
    );
  if (fixed !== undefined && (fixed.height !== made.height || fixed.width !== made.width))
    throw new InputError(
      `${model}: takes images of ${fixed.height}x${fixed.width}, and ${preprocessor} makes ${made.height}x${made.width}; ` +
        "one of the two is of another model",
    );
  return made;
}

function expectPixelType(input: TensorFacts, file: string): PixelType {
  const types: readonly PixelType[] = ["float32", "float16", "uint8"];
  const found = types.find((type) => pixelTypeCodes[type] === input.elementType);
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
