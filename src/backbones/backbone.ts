/** A backbone: a frozen, pretrained ONNX model that turns an image into a vector. */
import { createHash } from "node:crypto";
import type { Program } from "../engine/program.ts";
import { InputError, reasonOf } from "../files/errors.ts";
import { userCacheFolder } from "../files/user-folders.ts";
import type { EncodeOptions } from "../graph/encode.ts";
import { type ModelFacts, modelFacts } from "../graph/model-facts.ts";
import { probeShapes } from "../graph/probe.ts";
import { splice } from "../graph/splice.ts";
import type { Tensor } from "../graph/tensor.ts";
import type { ImageSize } from "../images/image.ts";
import type { Preparation } from "../images/preparation.ts";
import { type BackboneFiles, locateBackbone, readBackboneFile, readDescription } from "./locate.ts";
import { type BackboneOutput, candidateTensors, chooseOutput, poolingWords } from "./output-rule.ts";
import { imageInputOf } from "./pixel-input.ts";
import { pixelProgram, vectorProgram } from "./programs.ts";

export interface OpenBackboneOptions {
  /** Which tensor of the model is the vector; ":cls" or ":mean" may follow. Default: by rule. */
  readonly output?: string | undefined;
  /** The folder whose `backbones` holds those that were added. Default: the user's cache folder. */
  readonly cacheFolder?: string | undefined;
}

/** All that decides its vectors; runs keep it. */
export interface BackboneRecord {
  readonly name: string;
  /** SHA-256 of the model. */
  readonly hash: string;
  /** The tensor that is the vector, and how it becomes one. */
  readonly output: string;
  /** Numbers per vector. */
  readonly size: number;
  /** What it takes: RGB from 0 to 1. */
  readonly image: ImageSize;
  readonly preparation: Preparation;
}

export interface Backbone extends BackboneRecord {
  /** Images per run, where the model has one number only. */
  readonly batch: number | undefined;
  /** The model from `images` [batch, 3, height, width], RGB from 0 to 1, to what is made of their vectors [batch, size]. */
  program(outputsOf: (vectors: Tensor) => Readonly<Record<string, Tensor>>, options?: EncodeOptions): Program;
}

/** `source`: the name of one that was added, an ONNX file, or a folder in Hugging Face's layout. */
export async function openBackbone(source: string, options: OpenBackboneOptions = {}): Promise<Backbone> {
  const { output: wanted, cacheFolder = userCacheFolder() } = options;
  const files = locateBackbone(source, cacheFolder);
  const model = readBackboneFile(files.model);
  const facts = expectModel(model, files.model);
  const { pixels, preparation } = imageInputOf(facts, files);
  const context = { wanted, channelsLast: pixels.channelsLast, classifies: classifies(files) };
  const { channels, height, width } = pixels.image;
  const shape = pixels.channelsLast ? [height, width, channels] : [channels, height, width];
  const probe = { name: pixels.name, type: pixels.type, shape: [pixels.batch ?? 1, ...shape] };
  const shapes = await probeShapes(model, probe, candidateTensors(facts, context)).catch((error) => {
    throw new InputError(`${files.model}: ONNX Runtime cannot run it: ${reasonOf(error)}`, { option: "backbone" });
  });
  const output = chosen(() => chooseOutput(facts, shapes, context), files);
  const before = pixelProgram(pixels);
  return {
    name: files.name,
    hash: createHash("sha256").update(model).digest("hex"),
    output: describe(output),
    size: output.size,
    image: pixels.image,
    preparation,
    batch: pixels.batch,
    program: (outputsOf, encodeOptions) =>
      splice(model, {
        input: pixels.name,
        output: output.tensor,
        before,
        after: vectorProgram(output, outputsOf, encodeOptions),
      }),
  };
}

/** What of a backbone decides its vectors. */
export const backboneRecord = ({ name, hash, output, size, image, preparation }: Backbone): BackboneRecord => ({
  name,
  hash,
  output,
  size,
  image,
  preparation,
});

const describe = ({ tensor, pooling }: BackboneOutput): string =>
  pooling === "none" ? tensor : `${tensor}, ${poolingWords[pooling]}`;

function chosen(choose: () => BackboneOutput, { model }: BackboneFiles): BackboneOutput {
  try {
    return choose();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${model}: ${error.message}`, { option: "backboneOutput" });
  }
}

function expectModel(model: Uint8Array, file: string): ModelFacts {
  const facts = modelFacts(model);
  if (facts === undefined)
    throw new InputError(`${file}: this is no ONNX model, or only a part of one; get the file again`, {
      option: "backbone",
    });
  if (facts.externalFiles.length > 0)
    throw new InputError(
      `${file}: keeps its weights in another file (${facts.externalFiles.join(", ")}); save it as one file, or take a smaller model`,
      { option: "backbone" },
    );
  return facts;
}

/** Whether Hugging Face's description says so. */
function classifies({ config }: BackboneFiles): boolean {
  const description = config === undefined ? undefined : readDescription(config);
  if (typeof description !== "object" || description === null || !("architectures" in description)) return false;
  const { architectures } = description;
  return Array.isArray(architectures) && architectures.some((name) => /ForImageClassification/.test(String(name)));
}
