/** A backbone at work: prepared images in, vectors out, a batch at a time. */
import { expectFloats } from "../engine/program.ts";
import { Session, type SessionOptions, sessionOptions } from "../engine/session.ts";
import { pixelCount } from "../images/image.ts";
import type { Backbone } from "../network/backbone.ts";

/** Images per run of the model: enough to keep the processor busy, few enough for large models. */
const usualBatch = 16;

export class BackboneEncoder {
  /** The most images per run. */
  readonly batch: number;
  readonly #backbone: Backbone;
  readonly #options: SessionOptions;
  /** The images of a run, from 0 to 1. */
  readonly #images: Float32Array;
  #session: Session | undefined;

  /** The model is loaded when the first images come: there may be none. */
  constructor(backbone: Backbone, options: SessionOptions) {
    this.batch = backbone.batch ?? usualBatch;
    this.#backbone = backbone;
    this.#options = sessionOptions(options);
    this.#images = new Float32Array(this.batch * pixelCount(backbone.image));
  }

  /** Of at most `batch` images [3, height, width]. Where the model takes no fewer, the rest is what was there before. */
  async vectors(images: readonly Uint8Array[]): Promise<Float32Array[]> {
    this.#session ??= await Session.open(
      this.#backbone.program((vectors) => ({ vectors })),
      { ...this.#options, optimization: "all", spinning: false },
    );
    const { size, batch, image } = this.#backbone;
    const pixels = pixelCount(image);
    images.forEach((bytes, place) => {
      const target = this.#images.subarray(place * pixels, (place + 1) * pixels);
      for (let at = 0; at < pixels; at++) target[at] = bytes[at] / 255;
    });
    const fed = batch === undefined ? this.#images.subarray(0, images.length * pixels) : this.#images;
    const vectors = expectFloats((await this.#session.run({ images: fed })).vectors);
    return images.map((_, place) => vectors.slice(place * size, (place + 1) * size));
  }

  async close(): Promise<void> {
    await this.#session?.close();
  }
}
