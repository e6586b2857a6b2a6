/** A backbone: a frozen, pretrained ONNX model that turns an image into a vector, for a network or a method to go on with. */
import type { Program } from "../engine/program.ts";
import type { EncodeOptions } from "../graph/encode.ts";
import type { Tensor } from "../graph/tensor.ts";
import type { ImageSize } from "../images/image.ts";
import type { Preparation } from "../images/preparation.ts";

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
  /** What the model is fed, by channel: `factor` times the pixel, plus `offset`. */
  readonly normalization: Normalization;
}

export interface Normalization {
  readonly factor: readonly number[];
  readonly offset: readonly number[];
}

export interface Backbone extends BackboneRecord {
  /** Images per run, where the model has one number only. */
  readonly batch: number | undefined;
  /** From `images` [batch, 3, height, width], RGB from 0 to 1, to what is made of their vectors [batch, size]. */
  program(outputsOf: (vectors: Tensor) => Readonly<Record<string, Tensor>>, options?: EncodeOptions): Program;
}

/** What of a backbone decides its vectors. */
export const backboneRecord = (backbone: Backbone): BackboneRecord => {
  const { batch, program, ...record } = backbone;
  return record;
};
