/** The model of a run, ready for images that it has not seen. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expectFloats } from "../engine/program.ts";
import { Session, type SessionOptions } from "../engine/session.ts";
import { fileError, InputError } from "../files/errors.ts";
import { modelFacts } from "../graph/model-facts.ts";
import { pixelCount } from "../images/image.ts";
import type { StreamSettings } from "../images/sources/stream.ts";
import { type Prediction, Predictor } from "../network/predictor.ts";
import { modelInput } from "./model-input.ts";
import type { LoadedRun } from "./run-folder.ts";

export interface RunModel {
  /** What it takes, for `streamImages`. */
  readonly input: StreamSettings;
  /** The features and scores of at most `batch` images [images, channels·height·width]. */
  predict(images: Float32Array): Promise<Prediction>;
  close(): Promise<void>;
}

export interface RunModelOptions extends SessionOptions {
  /** The most images at once. Default: 64. */
  readonly batch?: number;
}

/** A run with a backbone needs nothing but its own model.onnx, which contains it. */
export async function openRunModel(
  run: LoadedRun,
  { batch = 64, ...options }: RunModelOptions = {},
): Promise<RunModel> {
  const { architecture, backbone, k, v } = run.record;
  const input = modelInput(run.record).settings;
  if (backbone !== undefined) return WholeModel.open(run.folder, input, batch, options);
  const predictor = await Predictor.open(architecture, run.trained, { k, v, batch, ...options });
  return {
    input,
    predict: (images) => predictor.predict(images),
    close: () => predictor.close(),
  };
}

class WholeModel implements RunModel {
  readonly input: StreamSettings;
  readonly #session: Session;
  /** Images per run, where the model takes one number only; else the most. */
  readonly #batch: number;
  readonly #fixed: boolean;

  private constructor(session: Session, input: StreamSettings, batch: number, fixed: boolean) {
    this.#session = session;
    this.input = input;
    this.#batch = batch;
    this.#fixed = fixed;
  }

  static async open(
    folder: string,
    input: StreamSettings,
    batch: number,
    options: SessionOptions,
  ): Promise<WholeModel> {
    const file = join(folder, "model.onnx");
    const model = readModel(file);
    const own = modelFacts(model)?.inputs[0]?.shape?.[0];
    if (own === undefined) throw new InputError(`${file}: this is no ONNX model any more; the run must be made again`);
    const fixed = typeof own === "number";
    const { channels, height, width } = input.image;
    const program = {
      model,
      inputs: { images: { type: "float32", shape: [fixed ? own : "batch", channels, height, width] } },
      outputs: {
        features: { type: "float32", shape: ["batch", "d"] },
        scores: { type: "float32", shape: ["batch", "k"] },
      },
      states: {},
    } as const;
    const session = await Session.open(program, { ...options, optimization: "all" });
    return new WholeModel(session, input, fixed ? own : batch, fixed);
  }

  async predict(images: Float32Array): Promise<Prediction> {
    const size = pixelCount(this.input.image);
    const features: number[] = [];
    const scores: number[] = [];
    for (let start = 0; start < images.length; start += this.#batch * size) {
      const piece = images.subarray(start, start + this.#batch * size);
      const count = piece.length / size;
      const fed = new Float32Array(this.#fixed ? this.#batch * size : piece.length);
      fed.set(piece);
      const results = await this.#session.run({ images: fed });
      for (const [target, values] of [
        [features, results.features],
        [scores, results.scores],
      ] as const) {
        const given = expectFloats(values);
        target.push(...given.subarray(0, (given.length * count * size) / fed.length));
      }
    }
    return { features: Float32Array.from(features), scores: Float32Array.from(scores) };
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

function readModel(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw fileError("read", file, error);
  }
}
