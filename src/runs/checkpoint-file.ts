/** Checkpoints in one safetensors file; the notes are JSON in its metadata. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { DamagedFileError } from "../files/errors.ts";
import { readSafetensors, type StoredTensor, writeSafetensors } from "../files/safetensors.ts";
import type { Checkpoint, CheckpointStore } from "./checkpoint.ts";

const format = "boostcluster checkpoint 1";

/** A process killed at any moment leaves the old checkpoint or the new one. */
export function fileCheckpoints(path: string): CheckpointStore {
  return {
    load: () => (existsSync(path) ? load(path) : undefined),
    save: (checkpoint) => save(path, checkpoint),
  };
}

function save(path: string, checkpoint: Checkpoint): void {
  const notes = JSON.stringify(checkpoint.notes);
  const vectors = Object.entries(checkpoint.vectors);
  const tensors = vectors.map(([name, values]): [string, StoredTensor] => [name, { shape: [values.length], values }]);
  const sha256 = digest(notes, vectors);
  writeSafetensors(path, Object.fromEntries(tensors), { format, notes, sha256 });
}

function load(path: string): Checkpoint {
  try {
    return read(path);
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    throw new DamagedFileError(`${error.message}; delete this checkpoint to start anew`);
  }
}

function read(path: string): Checkpoint {
  const { tensors, metadata } = readSafetensors(path);
  const { notes = "" } = metadata;
  if (metadata.format !== format)
    throw new DamagedFileError(`${path}: it is no checkpoint of this version of boostcluster`);
  const vectors = [...tensors].map(([name, { values }]): [string, Float32Array] => {
    if (!(values instanceof Float32Array)) throw new DamagedFileError(`${path}: "${name}" is not float32`);
    return [name, values];
  });
  if (metadata.sha256 !== digest(notes, vectors))
    throw new DamagedFileError(`${path}: damaged: what it holds is not what was written`);
  return { notes: JSON.parse(notes), vectors: Object.fromEntries(vectors) };
}

/** Of everything that the format itself cannot check. The order of the vectors is not kept, so it must not matter. */
function digest(notes: string, vectors: readonly (readonly [name: string, values: Float32Array])[]): string {
  const hash = createHash("sha256").update(JSON.stringify(notes));
  for (const [name, values] of vectors.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(JSON.stringify([name, values.length])).update(values);
  return hash.digest("hex");
}
