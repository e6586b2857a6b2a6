/** What the model of a run takes, and how it is made: pixels at the run's size or at a backbone's, or vectors. */
import { isVector } from "../images/image.ts";
import { preparationWords } from "../images/preparation.ts";
import { type Preprocessing, preprocessing, pythonImports } from "../images/preprocessing.ts";
import type { StreamSettings } from "../images/sources/stream.ts";
import { type RunRecord, runFit } from "./run-record.ts";

export interface ModelInput extends Preprocessing {
  /** For `streamImages`. */
  readonly settings: StreamSettings;
  readonly things: "images" | "vectors";
  /** What the lines of Python need. */
  readonly imports: string;
}

export function modelInput({ architecture, backbone, settings }: RunRecord): ModelInput {
  const { image } = architecture;
  if (backbone === undefined && isVector(image))
    return {
      settings: { image, fit: "cover" },
      things: "vectors",
      words: "vectors as they were given",
      imports: "import numpy",
      python: (file) => `images = numpy.load(${JSON.stringify(file)}).astype(numpy.float32)[:, :, None, None]`,
    };
  const fit = runFit(settings);
  return {
    settings: backbone === undefined ? { image, fit } : { image: backbone.image, preparation: backbone.preparation },
    things: "images",
    imports: pythonImports,
    ...(backbone === undefined ? preprocessing(image, fit) : preparationWords(backbone.preparation)),
  };
}
