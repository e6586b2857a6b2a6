/** Options that all methods share, checked and with their defaults. */
import { availableParallelism } from "node:os";
import type { Images } from "../dataset.ts";
import type { SessionOptions } from "../engine/session.ts";
import { InputError } from "../errors.ts";
import { imagesAtOnce } from "../network/predictor.ts";
import type { MethodOptions } from "./method.ts";

export function commonSettings({ name, count }: Images, options: MethodOptions) {
  const { k, seed = 0, restarts = 20, threads = availableParallelism(), device = "cpu" } = options;
  expectCount("k", k, 1);
  expectCount("restarts", restarts, 1);
  if (count < 2) throw new InputError(`${name}: clustering needs at least 2 images, not ${count}`);
  if (k > count) throw new InputError(`k = ${k} is more than the number of images, ${count}`);
  return { k, seed, restarts, threads, device };
}

/** Images a step, as many as there are at most. Default: 256, or 32 where images are larger than 64x64. */
export function batchSetting({ count, image }: Images, batch = imagesAtOnce(image)): number {
  expectCount("batch", batch, 2);
  return Math.min(count, batch);
}

/** So many epochs, or as many as make so many steps: a small collection has few steps an epoch. */
export const epochsOrSteps = (epochs: number, steps: number, { count }: Images, batch: number): number =>
  Math.max(epochs, Math.ceil(steps / Math.ceil(count / batch)));

export function expectCount(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least)
    throw new InputError(`${name} must be a whole number from ${least}, not ${value}`);
}

export function expectShare(name: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw new InputError(`${name} must be from 0 to 1, not ${value}`);
}

export function expectWeight(name: string, value: number): void {
  if (!(value >= 0) || !Number.isFinite(value)) throw new InputError(`${name} must be a number from 0, not ${value}`);
}

/** The options that every session of a method gets. */
export function sessionOptions({ threads, device }: SessionOptions): SessionOptions {
  return { ...(threads === undefined ? {} : { threads }), ...(device === undefined ? {} : { device }) };
}
