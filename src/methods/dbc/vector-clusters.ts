/** Initial clusters of vectors: what many clusterings of their principal components agree on. */
import type { ClusterOptions, Clusters } from "../../clustering/clusters.ts";
import { clusterMeans } from "../../clustering/graph-clusters.ts";
import { mixtureClusters } from "../../clustering/mixture-clusters.ts";
import { principalComponents } from "../../embedding/principal-components.ts";
import { sessionOptions } from "../../engine/session.ts";
import { type Matrix, matrix } from "../../numeric/matrix.ts";

/** What is left out of longer features is noise for the most part. */
const mostComponents = 128;

export async function vectorClusters(features: Matrix, options: ClusterOptions): Promise<Clusters> {
  const components = Math.min(mostComponents, features.columns);
  const { projections } = await principalComponents(features, {
    components,
    tolerance: 1e-4,
    signal: options.signal,
    ...sessionOptions(options),
  });
  const { labels } = await mixtureClusters(matrix(projections, components, "components"), options);
  return { labels, centres: clusterMeans(features, labels, options.k).values };
}
