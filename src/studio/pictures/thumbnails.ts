/** Thumbnails, made once: those that somebody waits for first, then all others. */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { loadSharp } from "../../files/sharp.ts";
import { userCacheFolder } from "../../files/user-folders.ts";
import type { Pictures } from "./pictures.ts";
import { ThumbnailPack } from "./thumbnail-pack.ts";

const side = 160;

export interface ThumbnailOptions {
  /** Default: `boostcluster` in the system's folder for caches. */
  readonly cacheFolder?: string | undefined;
}

/** So many are made at a time, at most. */
const mostAtOnce = Math.max(2, availableParallelism());

export class Thumbnails {
  #pictures: Pictures;
  readonly #pack: ThumbnailPack;
  /** Those on their way, by version: nobody makes the same one twice. */
  readonly #coming = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  readonly #waiting: (() => void)[] = [];
  #working = 0;
  #closed = false;

  private constructor(pictures: Pictures, pack: ThumbnailPack) {
    this.#pictures = pictures;
    this.#pack = pack;
  }

  /** Of the images of a source, in a folder of their own in the cache. */
  static async open(source: string, pictures: Pictures, options: ThumbnailOptions = {}): Promise<Thumbnails> {
    const { cacheFolder = userCacheFolder() } = options;
    const name = createHash("sha256").update(resolve(source)).digest("hex").slice(0, 32);
    return new Thumbnails(pictures, await ThumbnailPack.open(join(cacheFolder, "thumbnails", name)));
  }

  /** Other images of the same source. */
  show(pictures: Pictures): void {
    this.#pictures = pictures;
  }

  /** As WebP, no side longer than 160 pixels. */
  async get(image: number): Promise<Uint8Array<ArrayBuffer>> {
    const version = await this.#pictures.versionOf(image);
    return (await this.#pack.get(version)) ?? this.#comingOne(image, version);
  }

  /** Makes all that there are not yet, one at a time, while nobody waits for another one. */
  async makeAll(): Promise<void> {
    for (let image = 0; image < this.#pictures.count && !this.#closed; image++)
      // A file that is gone or is no image is told to whoever asks for it.
      await this.#makeIdly(image).catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#coming.values());
    await this.#pack.close();
  }

  async #makeIdly(image: number): Promise<void> {
    while (this.#working > 0 && !this.#closed) await new Promise((wake) => setTimeout(wake, 50).unref());
    const version = await this.#pictures.versionOf(image);
    if (!this.#closed && !this.#pack.has(version)) await this.#comingOne(image, version);
  }

  #comingOne(image: number, version: string): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#coming.get(version);
    if (known !== undefined) return known;
    const made = this.#inTurn(() => this.#make(image, version)).finally(() => this.#coming.delete(version));
    this.#coming.set(version, made);
    return made;
  }

  /** The last one to come is the first to be served: it is what is on the screen now. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working >= mostAtOnce) await new Promise<void>((begin) => this.#waiting.push(begin));
    this.#working++;
    try {
      return await work();
    } finally {
      this.#working--;
      this.#waiting.pop()?.();
    }
  }

  async #make(image: number, version: string): Promise<Uint8Array<ArrayBuffer>> {
    const sharp = await loadSharp();
    // Many small pictures at once are faster than many threads for each.
    sharp.concurrency(1);
    const bytes = await this.#pictures.encode(image, side);
    if (!this.#closed) this.#pack.add(version, bytes);
    return bytes;
  }
}
