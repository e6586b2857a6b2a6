/** The clusters of an encoder's features that a training starts from. */
import { type Clusters, type FindClusters, kMeansClusters } from "../../clustering/clusters.ts";
import type { Encoder } from "../../network/ensemble.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { featuresOf } from "./features.ts";
import type { TrainingContext } from "./training-loop.ts";

/** Found once in a run, under that name; `name` tells them apart where a run has several. */
export async function initialClustersOf(
  encoder: Encoder,
  trained: TrainedValues,
  { dataset, run, options }: TrainingContext,
  findClusters: FindClusters = kMeansClusters,
  name = "initial clusters",
): Promise<Clusters> {
  const { centres, labels } = await run.once(name, async () => {
    const found = await findClusters(await featuresOf(dataset, encoder, trained, options), options);
    return { centres: found.centres, labels: Float32Array.from(found.labels) };
  });
  return { centres, labels: Int32Array.from(labels) };
}
