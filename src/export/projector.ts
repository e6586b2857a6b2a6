/**
 * The files of TensorBoard's Embedding Projector:
 *   vectors.tsv             a feature a line
 *   metadata.tsv            a heading, then a line an image
 *   sprite.png              the images, small
 *   projector_config.pbtxt  which is which; written last, so that a folder that has it is whole
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, writeChunksAtomically, writeFileAtomically } from "../files/atomic.ts";
import { type AssignmentRow, columnsIn, shortest, writtenCluster } from "../runs/assignments.ts";
import type { ExportOptions, RunContents } from "./run-contents.ts";
import { makeSprite } from "./sprite.ts";

/** Writes into a folder, over what an earlier export left there. `tensorboard --logdir <folder>` shows it. */
export async function exportProjector(
  { rows, features, featureSize, images }: RunContents,
  folder: string,
  options: ExportOptions = {},
): Promise<void> {
  const sprite = await makeSprite(images, options);
  makeFolder(folder);
  const config = join(folder, "projector_config.pbtxt");
  rmSync(config, { force: true });
  writeChunksAtomically(join(folder, "vectors.tsv"), vectorLines(features, featureSize));
  writeChunksAtomically(join(folder, "metadata.tsv"), metadataLines(rows));
  writeFileAtomically(join(folder, "sprite.png"), sprite.png);
  writeFileAtomically(config, projectorConfig(sprite.tile));
}

function* vectorLines(features: Float32Array, size: number): Generator<string> {
  for (let start = 0; start < features.length; start += size)
    yield `${Array.from(features.subarray(start, start + size), shortest).join("\t")}\n`;
}

function* metadataLines(rows: readonly AssignmentRow[]): Generator<string> {
  const { labels, belonging, decided } = columnsIn(rows);
  const columns = [
    ...["item", "cluster", "score"],
    ...(belonging ? ["belonging", "none"] : []),
    ...(labels ? ["label"] : []),
    ...(decided ? ["name", "by", "modelCluster"] : []),
  ];
  yield `${columns.join("\t")}\n`;
  for (const row of rows) {
    const cells: Readonly<Record<string, unknown>> = { ...row, cluster: writtenCluster(row), none: Number(row.none) };
    yield `${columns.map((name) => tsvCell(String(cells[name] ?? ""))).join("\t")}\n`;
  }
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** The projector knows no quotes: only what would end a cell or a line is written otherwise. */
const tsvCell = (text: string): string => text.replace(/[\\\t\n\r]/g, (character) => escapes[character]);

/** The text form of `ProjectorConfig` in TensorBoard's projector_config.proto; paths are beside the file. */
const projectorConfig = (tile: number): string => `embeddings {
  tensor_name: "features"
  tensor_path: "vectors.tsv"
  metadata_path: "metadata.tsv"
  sprite {
    image_path: "sprite.png"
    single_image_dim: ${tile}
    single_image_dim: ${tile}
  }
}
`;
