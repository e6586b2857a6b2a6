/** Where things are, as options of other commands. */
import type { RunImagesOptions } from "../runs/run-images.ts";

export type Places = Pick<RunImagesOptions, "images" | "dataFolder" | "cacheFolder">;

export const placeArguments = ({ images, dataFolder, cacheFolder }: Places): readonly string[] =>
  Object.entries({ images, "data-folder": dataFolder, "cache-folder": cacheFolder }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
