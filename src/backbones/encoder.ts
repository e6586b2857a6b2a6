/** A backbone at work: prepared images in, vectors out, a batch at a time. */
import { BackgroundSession } from "../engine/background-session.ts";
import { expectFloats } from "../engine/program.ts";
import { Session, type SessionOptions, sessionOptions } from "../engine/session.ts";
import { pixelCount } from "../images/image.ts";
import type { Backbone } from "../network/backbone.ts";

/** Images per run of the model: enough to keep the processor busy, few enough for large models. */
const usualBatch = 16;

const fromZeroToOne = Float32Array.from({ length: 256 }, (_, byte) => byte / 255);

export class BackboneEncoder {
  /** The most images per run. */
  readonly batch: number;
  readonly #backbone: Backbone;
  readonly #options: SessionOptions;
  readonly #kind: typeof BackgroundSession | typeof Session;
  #session: BackgroundSession | Session | undefined;

  /**
   * The model is loaded when the first images come: there may be none. Of `count` images, those of the next batch are
   * prepared while it runs; where one batch is all, it needs no thread of its own.
   */
  constructor(backbone: Backbone, count: number, options: SessionOptions) {
    this.batch = backbone.batch ?? usualBatch;
    this.#backbone = backbone;
    this.#options = sessionOptions(options);
    this.#kind = count > this.batch ? BackgroundSession : Session;
  }

  /** Of at most `batch` images [3, height, width]. Where the model takes no fewer, the rest is black. */
  async vectors(images: readonly Uint8Array[]): Promise<Float32Array[]> {
    this.#session ??= await this.#kind.open(
      this.#backbone.program((vectors) => ({ vectors })),
      { ...this.#options, optimization: "all", spinning: false },
    );
    const { size, batch, image } = this.#backbone;
    const pixels = pixelCount(image);
    const values = new Float32Array((batch ?? images.length) * pixels);
    images.forEach((bytes, place) => {
      for (let at = 0; at < pixels; at++) values[place * pixels + at] = fromZeroToOne[bytes[at]];
    });
    const vectors = expectFloats((await this.#session.run({ images: values })).vectors);
    return images.map((_, place) => vectors.slice(place * size, (place + 1) * size));
  }

  async close(): Promise<void> {
    await this.#session?.close();
  }
}
