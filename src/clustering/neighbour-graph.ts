/** The neighbour graph of samples: each is linked to its nearest neighbours, the stronger the nearer. */
import type { Neighbours } from "./neighbours.ts";

/** An undirected graph. The edges at node i are those from `starts[i]` up to `starts[i + 1]`; each is listed at both ends. */
export interface NeighbourGraph {
  readonly count: number;
  /** The nearest neighbour of each node. */
  readonly nearest: Uint32Array;
  readonly starts: Uint32Array;
  /** The node at the other end. */
  readonly others: Uint32Array;
  /** From 0 to 1. */
  readonly weights: Float32Array;
}

/**
 * w = exp(−‖x − y‖² / σ_x σ_y), where σ is the distance to a sample's farthest neighbour (Zelnik-Manor & Perona, 2004):
 * dense and sparse regions are linked alike. Half of it where only one of the two is a neighbour of the other.
 */
export function neighbourGraph({ indices, neighbours, squaredDistances }: Neighbours): NeighbourGraph {
  const count = indices.length / neighbours;
  const reach = reachesOf({ indices, neighbours, squaredDistances });
  const weights = new Float32Array(indices.length);
  for (let edge = 0; edge < indices.length; edge++) {
    const i = Math.floor(edge / neighbours);
    weights[edge] = Math.exp(-squaredDistances[edge] / (reach[i] * reach[indices[edge]]));
  }
  const nearest = new Uint32Array(count);
  for (let i = 0; i < count; i++) nearest[i] = indices[i * neighbours];
  return { count, nearest, ...bothWays(indices, weights, count) };
}

/** σ of each sample. Copies of one sample may be all its neighbours: then it is the smallest that another sample has. */
function reachesOf({ neighbours, squaredDistances }: Neighbours): Float64Array {
  const reach = new Float64Array(squaredDistances.length / neighbours);
  for (let i = 0; i < reach.length; i++) reach[i] = Math.sqrt(squaredDistances[(i + 1) * neighbours - 1]);
  const smallest = reach.reduce((least, own) => (own > 0 ? Math.min(least, own) : least), Number.POSITIVE_INFINITY);
  // Where all are zero so are all distances, and any number will do.
  return reach.map((own) => own || (smallest < Number.POSITIVE_INFINITY ? smallest : 1));
}

/** Lists each edge at both of its ends. Two samples that are neighbours of each other share one. */
function bothWays(indices: Uint32Array, towards: Float32Array, count: number) {
  const neighbours = indices.length / count;
  const back = (i: number, j: number): number =>
    indices.subarray(j * neighbours, (j + 1) * neighbours).indexOf(i) + j * neighbours;
  const mutual = new Int32Array(indices.length);
  const starts = new Uint32Array(count + 1);
  for (let edge = 0; edge < indices.length; edge++) {
    const i = Math.floor(edge / neighbours);
    const j = indices[edge];
    mutual[edge] = back(i, j) >= j * neighbours ? back(i, j) : -1;
    starts[i + 1]++;
    if (mutual[edge] < 0) starts[j + 1]++;
  }
  for (let i = 0; i < count; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const others = new Uint32Array(starts[count]);
  const weights = new Float32Array(starts[count]);
  for (let edge = 0; edge < indices.length; edge++) {
    const i = Math.floor(edge / neighbours);
    const j = indices[edge];
    const place = next[i]++;
    others[place] = j;
    if (mutual[edge] >= 0) weights[place] = (towards[edge] + towards[mutual[edge]]) / 2;
    else {
      const otherPlace = next[j]++;
      others[otherPlace] = i;
      weights[place] = weights[otherPlace] = towards[edge] / 2;
    }
  }
  return { starts, others, weights };
}

/** Adds the rows of a sample's neighbours to `row`, by `shares` of the edges. */
export function gatherFromNeighbours(
  { starts, others }: NeighbourGraph,
  shares: Float32Array,
  rows: Float32Array,
  sample: number,
  row: Float32Array,
): void {
  const k = row.length;
  for (let edge = starts[sample]; edge < starts[sample + 1]; edge++) {
    const [share, from] = [shares[edge], others[edge] * k];
    for (let j = 0; j < k; j++) row[j] += share * rows[from + j];
  }
}
