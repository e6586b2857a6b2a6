/** A tree of clusters for further samples: each goes to the finest group of its cluster whose mean is nearest. */
import { type Matrix, rowOf } from "../numeric/matrix.ts";
import type { ClusterTree } from "./cluster-tree.ts";
import { clusterMeans } from "./graph-clusters.ts";

/** `features` are those of the samples in the tree; the others, of which `assignments` are the clusters, follow them. */
export function extendTree(tree: ClusterTree, features: Matrix, further: Matrix, assignments: Int32Array): ClusterTree {
  const means = clusterMeans(features, tree.groups, tree.clusters.length);
  const groups = new Int32Array(tree.groups.length + assignments.length);
  groups.set(tree.groups);
  assignments.forEach((cluster, row) => {
    groups[tree.groups.length + row] = nearestGroup(rowOf(further, row), cluster, means, tree.clusters);
  });
  return { ...tree, groups };
}

/** Of all groups, where the cluster has none: it had lost its samples. */
function nearestGroup(sample: Float32Array, cluster: number, means: Matrix, clusters: Int32Array): number {
  const any = !clusters.includes(cluster);
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (let group = 0; group < clusters.length; group++) {
    if (!any && clusters[group] !== cluster) continue;
    const mean = rowOf(means, group);
    let distance = 0;
    for (let d = 0; d < sample.length; d++) distance += (sample[d] - mean[d]) ** 2;
    if (distance < least) [nearest, least] = [group, distance];
  }
  return nearest;
}
