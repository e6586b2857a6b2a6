/** What the model of a run takes, and what is done to an image before: pixels at the run's size, or at a backbone's. */

import { type ImageSize, isVector } from "../images/image.ts";
import { preparationWords } from "../images/preparation.ts";
import { type Preprocessing, preprocessing } from "../images/preprocessing.ts";
import { type RunRecord, runFit } from "./run-record.ts";

export interface ModelInput extends Preprocessing {
  readonly image: ImageSize;
}

export function modelInput({ architecture, backbone, settings }: RunRecord): ModelInput {
  if (backbone !== undefined) return { image: backbone.image, ...preparationWords(backbone.preparation) };
  const { image } = architecture;
  if (isVector(image))
    return {
      image,
      words: "vectors as they were given",
      python: () => `images = numpy.load("vectors.npy").astype(numpy.float32)[:, :, None, None]`,
    };
  return { image, ...preprocessing(image, runFit(settings)) };
}
