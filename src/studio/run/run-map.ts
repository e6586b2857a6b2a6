/** The map of a run: computed once, in a process of its own, and kept in the run as `map.npy`: image, x, y of each point. */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readBytes } from "../../files/bytes.ts";
import { openNpy, writeNpy } from "../../files/npy.ts";
import type { MapData } from "../api.ts";
import { type MapMessage, mapExtent } from "./map-message.ts";

export interface RunMapOptions {
  /** Options of Node for processes that are started. */
  readonly node: readonly string[];
  /** Whether it may be kept in the run. */
  readonly keep: boolean;
}

const program = (): string =>
  fileURLToPath(new URL(`./map-process${extname(new URL(import.meta.url).pathname)}`, import.meta.url));

export class RunMap {
  readonly #run: string;
  readonly #options: RunMapOptions;
  #data: MapData | undefined;
  #places: ReadonlyMap<number, readonly [x: number, y: number]> | undefined;
  #process: ChildProcess | undefined;
  #done = 0;
  #failed: string | undefined;

  constructor(run: string, options: RunMapOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** The map, or how much of it is done; the first who asks sets it going. */
  get(): MapData | { readonly done: number } | { readonly failed: string } {
    if (this.#failed !== undefined) return { failed: this.#failed };
    const data = this.known();
    if (data === undefined && this.#process === undefined) this.#compute();
    return data ?? { done: this.#done };
  }

  /** Undefined where it is still to be computed. */
  known(): MapData | undefined {
    this.#data ??= readMap(this.#file);
    return this.#data;
  }

  /** From 0 to 1; undefined where the image is not on the map, or there is none yet. */
  placeOf(image: number): readonly [x: number, y: number] | undefined {
    const data = this.known();
    if (data === undefined) return undefined;
    this.#places ??= new Map(
      data.images.map((one, index) => [
        one,
        [data.places[2 * index] / mapExtent, data.places[2 * index + 1] / mapExtent],
      ]),
    );
    return this.#places.get(image);
  }

  close(): void {
    this.#process?.kill();
  }

  get #file(): string {
    return join(this.#run, "map.npy");
  }

  #compute(): void {
    const child = fork(program(), [this.#run], { execArgv: [...this.#options.node], stdio: "ignore" });
    this.#process = child;
    child.on("message", (message: MapMessage) => {
      if ("done" in message) this.#done = message.done;
      else if ("failed" in message) this.#failed = message.failed;
      else this.#take(message);
    });
    child.once("error", (error) => {
      this.#failed = error.message;
    });
    child.once("exit", () => {
      if (this.#data === undefined) this.#failed ??= "the process that computed it has ended";
    });
  }

  #take(data: MapData): void {
    this.#data = data;
    if (!this.#options.keep) return;
    const rows = data.images.flatMap((image, index) => [image, data.places[2 * index], data.places[2 * index + 1]]);
    try {
      writeNpy(this.#file, Int32Array.from(rows), [data.images.length, 3]);
    } catch {
      // A run that cannot be written to has its map for as long as the studio runs.
    }
  }
}

/** Undefined where there is none, or something else. */
function readMap(file: string): MapData | undefined {
  if (!existsSync(file)) return undefined;
  const { bytes, offset, type, shape } = openNpy(file);
  try {
    if (type !== "int32" || shape[1] !== 3) return undefined;
    const rows = new Int32Array(new Uint8Array(readBytes(bytes, offset)).buffer);
    return {
      images: Array.from(rows.filter((_, at) => at % 3 === 0)),
      places: Array.from(rows.filter((_, at) => at % 3 !== 0)),
    };
  } finally {
    bytes.close();
  }
}
