/** Decompression into memory, with a limit: a small file can hold any number of zeros. */
import { gunzipSync, inflateSync } from "node:zlib";
import { InputError, reasonOf } from "./errors.ts";

/** The most that a compressed file may become. */
export const largestInflated = 2 ** 30;

/** `advice` says what to do if the content is larger than we take. */
export const gunzip = (content: Uint8Array, name: string, advice: string): Buffer =>
  inflated(() => gunzipSync(content, { maxOutputLength: largestInflated }), name, advice);

export const inflate = (content: Uint8Array, name: string, advice: string): Buffer =>
  inflated(() => inflateSync(content, { maxOutputLength: largestInflated }), name, advice);

function inflated(run: () => Buffer, name: string, advice: string): Buffer {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(name, advice);
    throw new InputError(`${name}: cannot be decompressed (${reasonOf(error)}); it is damaged, get it again`);
  }
}

export const tooLarge = (name: string, advice: string): InputError =>
  new InputError(`${name}: is more than ${largestInflated / 2 ** 20} MB when decompressed; ${advice}`);
