/** Opens a backbone: somebody's ONNX model, with what has to stand before it and behind it. */
import { createHash } from "node:crypto";
import { InputError, reasonOf } from "../files/errors.ts";
import { userCacheFolder } from "../files/user-folders.ts";
import { type ModelFacts, modelFacts } from "../graph/model-facts.ts";
import { probeShapes } from "../graph/probe.ts";
import { splice } from "../graph/splice.ts";
import type { Backbone } from "../network/backbone.ts";
import { type BackboneFiles, locateBackbone, readBackboneFile, readDescription } from "./locate.ts";
import {
  type BackboneOutput,
  candidateTensors,
  chooseOutput,
  type ProbedShapes,
  parseWanted,
  poolingWords,
} from "./output-rule.ts";
import { imageInputOf } from "./pixel-input.ts";
import { type PixelInput, pixelProgram, vectorProgram } from "./programs.ts";
import { isRectified } from "./rectified.ts";

export interface OpenBackboneOptions {
  /** Which tensor of the model is the vector; ":cls" or ":mean" may follow. Default: by rule. */
  readonly output?: string | undefined;
  /** The folder whose `backbones` holds those that were added. Default: the user's cache folder. */
  readonly cacheFolder?: string | undefined;
}

/** `source`: the name of one that was added, an ONNX file, or a folder in Hugging Face's layout. */
export async function openBackbone(source: string, options: OpenBackboneOptions = {}): Promise<Backbone> {
  const { output: wanted, cacheFolder = userCacheFolder() } = options;
  const files = locateBackbone(source, cacheFolder);
  const model = readBackboneFile(files.model);
  const facts = expectModel(model, files.model);
  const { pixels, preparation } = imageInputOf(facts, files);
  const context = {
    file: files.model,
    channelsLast: pixels.channelsLast,
    classifies: classifies(files),
    wanted: wanted === undefined ? undefined : parseWanted(wanted, facts, files.model),
  };
  const probed = await probe(model, pixels, candidateTensors(facts, context)).catch((error) => {
    throw new InputError(
      `${files.model}: ONNX Runtime cannot run it on images of ${pixels.image.height}x${pixels.image.width}: ` +
        `${reasonOf(error)}; try another export of the model`,
      { option: "backbone" },
    );
  });
  const output = chooseOutput(facts, probed, context);
  const { factor, offset } = pixels;
  const rectified = isRectified(facts, output.tensor);
  // A model that failed with two images takes one at a time, whatever it says; so does one that measures a whole batch
  // to quantize it, as an image's vector would depend on the others.
  const alone = probed.batch === 1 || facts.nodes.some(({ operator }) => operator === "DynamicQuantizeLinear");
  const batch = pixels.batch ?? (alone ? 1 : undefined);
  const before = pixelProgram({ ...pixels, batch }, { opset: facts.opset });
  return {
    name: files.name,
    hash: createHash("sha256").update(model).digest("hex"),
    output: describe({ ...output, rectified }),
    size: output.size,
    image: pixels.image,
    preparation,
    normalization: { factor, offset },
    batch,
    program: (outputsOf, encodeOptions) =>
      splice(model, {
        input: pixels.name,
        output: output.tensor,
        before,
        after: vectorProgram({ ...output, rectified }, outputsOf, { ...encodeOptions, opset: facts.opset }),
      }),
  };
}

/** With two images where their number is free, which shows whether it is. */
async function probe(model: Uint8Array, pixels: PixelInput, tensors: readonly string[]): Promise<ProbedShapes> {
  const { name, type, channelsLast, image } = pixels;
  const { channels, height, width } = image;
  const shape = channelsLast ? [height, width, channels] : [channels, height, width];
  const run = async (batch: number): Promise<ProbedShapes> => ({
    batch,
    shapes: await probeShapes(model, { name, type, shape: [batch, ...shape] }, tensors),
  });
  return pixels.batch === undefined ? run(2).catch(() => run(1)) : run(pixels.batch);
}

/** In words, all that makes a vector of the tensor; it is a part of what vectors are kept by. */
function describe({ tensor, pooling, rectified }: BackboneOutput & { readonly rectified: boolean }): string {
  const words = pooling === "none" ? tensor : `${tensor}, ${poolingWords[pooling]}`;
  return rectified ? `${words}, roots` : words;
}

function expectModel(model: Uint8Array, file: string): ModelFacts {
  const facts = modelFacts(model);
  if (facts === undefined)
    throw new InputError(`${file}: this is no ONNX model, or only a part of one; get the file again`, {
      option: "backbone",
    });
  if (facts.externalFiles.length > 0)
    throw new InputError(
      `${file}: keeps its weights in another file (${facts.externalFiles.join(", ")}); save it as one file, or take ` +
        "a smaller model",
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
