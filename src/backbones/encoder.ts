/**
 * A backbone at work: prepared images in, vectors out, a batch at a time. Two sessions share the cores, since the threads
 * of one wait for each other after every layer, and longer where decoders take a core from one of them.
 */
import { BackgroundSession } from "../engine/background-session.ts";
import { expectFloats } from "../engine/program.ts";
import { defaultThreads, Session, type SessionOptions, sessionOptions } from "../engine/session.ts";
import { pixelCount } from "../images/image.ts";
import type { Backbone } from "../network/backbone.ts";

/** Images per run of the model: enough to keep the processor busy, few enough for large models. */
const usualBatch = 16;

const fromZeroToOne = Float32Array.from({ length: 256 }, (_, byte) => byte / 255);

export class BackboneEncoder {
  /** The most images per run. */
  readonly batch: number;
  /** Batches that can be under way at once; whoever gives more waits for the first. */
  readonly atOnce: number;
  readonly #backbone: Backbone;
  readonly #options: SessionOptions;
  readonly #sessions: Promise<BackgroundSession | Session>[] = [];
  readonly #kind: typeof BackgroundSession | typeof Session;
  #given = 0;

  /**
   * The model is loaded when the first images come: there may be none. Of `count` images, those of the next batches are
   * prepared while it runs; where one batch is all, it needs no thread of its own.
   */
  constructor(backbone: Backbone, count: number, options: SessionOptions) {
    const { threads = defaultThreads() } = options;
    this.batch = backbone.batch ?? usualBatch;
    this.atOnce = Math.max(1, Math.min(2, threads, Math.floor(count / this.batch)));
    this.#backbone = backbone;
    this.#options = { ...sessionOptions(options), threads: Math.ceil(threads / this.atOnce) };
    this.#kind = count > this.batch ? BackgroundSession : Session;
  }

  /** Of at most `batch` images [3, height, width]. Where the model takes no fewer, the rest is black. */
  async vectors(images: readonly Uint8Array[]): Promise<Float32Array[]> {
    const turn = this.#given++ % this.atOnce;
    this.#sessions[turn] ??= this.#open();
    const session = await this.#sessions[turn];
    const { size, batch, image } = this.#backbone;
    const pixels = pixelCount(image);
    const values = new Float32Array((batch ?? images.length) * pixels);
    images.forEach((bytes, place) => {
      for (let at = 0; at < pixels; at++) values[place * pixels + at] = fromZeroToOne[bytes[at]];
    });
    const vectors = expectFloats((await session.run({ images: values })).vectors);
    return images.map((_, place) => vectors.slice(place * size, (place + 1) * size));
  }

  #open(): Promise<BackgroundSession | Session> {
    const program = this.#backbone.program((vectors) => ({ vectors }));
    return this.#kind.open(program, { ...this.#options, optimization: "all", spinning: false });
  }

  async close(): Promise<void> {
    for (const opened of await Promise.allSettled(this.#sessions))
      if (opened.status === "fulfilled") await opened.value.close();
  }
}
