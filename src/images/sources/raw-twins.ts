/** Shots that a camera saved twice, as RAW and as JPEG: one of the two is enough. */
import { rawExtensions } from "./raw-preview.ts";

const jpegExtension = /\.jpe?g$/i;

/** For each RAW file that has a JPEG of the same name beside it, why it is left out. */
export function rawTwins(paths: readonly string[]): Map<string, string> {
  const stem = (path: string): string => path.replace(/\.[^./\\]*$/, "").toLowerCase();
  const jpegs = new Map(paths.filter((path) => jpegExtension.test(path)).map((path) => [stem(path), path]));
  const twins = new Map<string, string>();
  for (const path of paths) {
    const jpeg = rawExtensions.test(path) ? jpegs.get(stem(path)) : undefined;
    if (jpeg !== undefined) twins.set(path, `${jpeg.split(/[\\/]/).at(-1)} is the same shot, and is taken`);
  }
  return twins;
}
