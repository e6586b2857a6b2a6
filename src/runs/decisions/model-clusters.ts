/** What the model says of a run's images, before anybody has decided anything. */
import { readAssignments } from "../run-folder.ts";
import type { RunImagesOptions } from "../run-images.ts";
import { readRecord } from "../run-record.ts";
import type { ModelClusters } from "./fold-decisions.ts";
import { imageKeys } from "./image-keys.ts";

/** Of a run, as decisions are folded on it. */
export async function readModelClusters(run: string, options: RunImagesOptions = {}): Promise<ModelClusters> {
  const keys = await imageKeys(run, options);
  return { k: readRecord(run).k, keys, assignments: readAssignments(run).map(({ cluster }) => cluster) };
}
