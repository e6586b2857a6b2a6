/** sharp, from the first image on: its native library takes a while to load, which nothing else should wait for. */
import type { default as Sharp } from "sharp";

export const loadSharp = async (): Promise<typeof Sharp> => (await import("sharp")).default;
