/**
 * One Parquet file, a row an image: what the run says of it, its feature, and the image itself, as Hugging Face's
 * datasets and Apple's Embedding Atlas take it. It is made a group of rows at a time and need not fit in memory.
 */
import { dirname } from "node:path";
import { ByteWriter, parquetWriteRows } from "hyparquet-writer";
import { type Chunk, makeFolder, streamFileAtomically } from "../files/atomic.ts";
import { InputError } from "../files/errors.ts";
import { columnsIn, writtenCluster } from "../runs/assignments.ts";
import { mapImages, pngOf } from "./images.ts";
import { parquetSchema } from "./parquet-schema.ts";
import type { ExportOptions, RunContents } from "./run-contents.ts";

export interface ParquetOptions extends ExportOptions {
  /** [images, 2]: where each is on a map. Default: none, and no columns `x` and `y`. */
  readonly map?: Float32Array;
}

/** Rows of one group: readers load a group at a time, and images are large. */
const groupSize = 1000;

/** Tells Hugging Face's datasets that the column is more than bytes and a path. */
const imageNote = { key: "huggingface", value: JSON.stringify({ info: { features: { image: { _type: "Image" } } } }) };

export async function exportParquet(run: RunContents, path: string, options: ParquetOptions = {}): Promise<void> {
  const { rows, images } = run;
  const { map } = options;
  if (map !== undefined && map.length !== 2 * images.count)
    throw new InputError(`a map of ${map.length} numbers: give two for each of the ${images.count} images`);
  makeFolder(dirname(path));
  await streamFileAtomically(path, async (append) => {
    await parquetWriteRows({
      writer: new ChunkWriter(append),
      rows: parquetRows(run, options),
      ...parquetSchema({ ...columnsIn(rows), map: map !== undefined }),
      rowGroupSize: groupSize,
      kvMetadata: [imageNote],
    });
  });
}

async function* parquetRows(
  { rows, features, featureSize, images }: RunContents,
  { map, signal }: ParquetOptions,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let index = 0;
  for await (const bytes of mapImages(images, (image) => pngOf(image, images.image), { signal })) {
    const row = rows[index];
    yield {
      ...row,
      cluster: writtenCluster(row),
      features: Array.from(features.subarray(index * featureSize, (index + 1) * featureSize)),
      x: map?.[2 * index],
      y: map?.[2 * index + 1],
      image: { bytes, path: row.item },
    };
    index++;
  }
}

/** Hands on what was written, after every group of rows. */
class ChunkWriter extends ByteWriter {
  readonly #append: (chunk: Chunk) => void;

  constructor(append: (chunk: Chunk) => void) {
    super();
    this.#append = append;
  }

  flush(): void {
    this.#append(this.getBytes());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}
