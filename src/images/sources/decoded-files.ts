/** A folder's images, decoded once, to one size. */
import { join } from "node:path";
import { cachedRecords, type RecordOptions } from "./cached-records.ts";
import { chooseImageSize, type SizeRequest } from "./common-size.ts";
import { decodeImage, decoderVersion, type Fit } from "./decode.ts";
import type { ImageFile } from "./image-files.ts";
import type { CachedImages } from "./pixel-cache.ts";
import { rawTwins } from "./raw-twins.ts";

export interface DecodeOptions extends SizeRequest, RecordOptions {
  readonly fit: Fit;
}

export function decodeFiles(root: string, files: readonly ImageFile[], options: DecodeOptions): Promise<CachedImages> {
  const { size, channels, fit } = options;
  const paths = files.map(({ path }) => path);
  const twins = rawTwins(paths);
  const measured = paths.filter((path) => !twins.has(path));
  return cachedRecords(root, files, {
    ...options,
    key: { decoderVersion, size, channels, fit },
    recordSize: () => chooseImageSize(root, measured, options),
    makeRecord: async (path, image) => {
      const reason = twins.get(path);
      return reason === undefined ? decodeImage(join(root, path), { image, fit }) : { reason };
    },
  });
}
