/** What the model says of a run's images, before anybody has decided anything. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileError } from "../../files/errors.ts";
import { readAssignments } from "../run-folder.ts";
import type { RunImagesOptions } from "../run-images.ts";
import { readRecord } from "../run-record.ts";
import type { ModelClusters } from "./fold-decisions.ts";
import { imageKeys } from "./image-keys.ts";

/** Changes when the run is made again and comes out otherwise: SHA-256, in hexadecimal. */
export function assignmentsHash(run: string): string {
  readRecord(run);
  const path = join(run, "assignments.jsonl");
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** Of a run, as decisions are folded on it. */
export async function readModelClusters(run: string, options: RunImagesOptions = {}): Promise<ModelClusters> {
  const keys = await imageKeys(run, options);
  return { k: readRecord(run).k, keys, assignments: readAssignments(run).map(({ cluster }) => cluster) };
}
