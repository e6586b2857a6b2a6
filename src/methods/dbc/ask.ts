/** What to ask a person about a run, so that each answer teaches most. Clusters are those that were decided. */
import { neighboursFor } from "../../clustering/graph-clusters.ts";
import { type NeighbourGraph, neighbourGraph } from "../../clustering/neighbour-graph.ts";
import { nearestNeighbours } from "../../clustering/neighbours.ts";
import { chooseQuestions, type Doubt } from "../../clustering/questions.ts";
import type { Matrix } from "../../numeric/matrix.ts";
import type { AssignmentRow } from "../../runs/assignments.ts";
import type { Constraints } from "../../runs/decisions/constraints.ts";
import type { Decided } from "../../runs/decisions/fold-decisions.ts";

export type Question =
  /** Where does this image belong? */
  | {
      readonly kind: "image";
      readonly image: number;
      /** Likely clusters, the likeliest first. */
      readonly candidates: readonly number[];
      /** How many images the answer speaks for. */
      readonly speaksFor: number;
    }
  /** Are these two clusters one and the same thing? */
  | {
      readonly kind: "clusters";
      readonly clusters: readonly [number, number];
      /** Typical images of each. */
      readonly examples: readonly [readonly number[], readonly number[]];
    };

/** What is known of a run's images, one row each. */
export interface AskedImages {
  readonly features: Matrix;
  /** What the model says. */
  readonly answers: readonly Pick<AssignmentRow, "cluster" | "secondCluster" | "margin">[];
  readonly decided: Decided;
  readonly constraints: Constraints;
}

export interface AskOptions {
  /** Default: 20. */
  readonly count?: number;
  /** Default: as many as there are cores. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
}

/** More would be hard to tell apart at a glance. */
const mostCandidates = 4;

/** The most telling first; about images of which nobody has said anything. */
export async function ask(images: AskedImages, options: AskOptions = {}): Promise<readonly Question[]> {
  const { features, decided, constraints } = images;
  const { count = 20, ...engine } = options;
  const clusters = presentIn(decided).size;
  if (features.rows < 2 || clusters < 2) return [];
  const neighbours = neighboursFor(features.rows, clusters);
  const graph = neighbourGraph(await nearestNeighbours(features, { neighbours, ...engine }));
  const doubts = doubtsAbout(images);
  const isKnown = (image: number): boolean =>
    constraints.known[image] >= 0 || decided.cluster[image] < 0 || decided.confirmed[image] === 1;
  return chooseQuestions(graph, doubts, { count, isKnown }).map(({ sample, alike }) => ({
    kind: "image",
    image: sample,
    candidates: candidatesFor(sample, doubts[sample], graph, decided),
    speaksFor: alike,
  }));
}

/** Between clusters that are one by now there is no doubt, nor about one that has no images any more. */
function doubtsAbout({ answers, decided }: AskedImages): readonly Doubt[] {
  const { cluster, goesTo } = decided;
  const present = presentIn(decided);
  return answers.map(({ cluster: first, secondCluster = first, margin }, image) => {
    const own = cluster[image];
    // An image that is not where the model had it may still belong there.
    const others = [goesTo[first], goesTo[secondCluster]].filter((other) => other !== own && present.has(other));
    const [second = own] = others;
    return { cluster: own, second, margin: second === own ? 1 : margin };
  });
}

const presentIn = ({ clusters }: Decided): ReadonlySet<number> =>
  new Set(clusters.flatMap(({ cluster, size }) => (size > 0 ? [cluster] : [])));

/** The two that the model hesitates between, then those of the images most like it. */
function candidatesFor(
  image: number,
  { cluster, second }: Doubt,
  { starts, others, outward, inward }: NeighbourGraph,
  decided: Decided,
): readonly number[] {
  const likeness = new Map<number, number>();
  for (let edge = starts[image]; edge < starts[image + 1]; edge++) {
    const near = decided.cluster[others[edge]];
    if (near >= 0) likeness.set(near, (likeness.get(near) ?? 0) + outward[edge] + inward[edge]);
  }
  const near = [...likeness].sort(([a, x], [b, y]) => y - x || a - b).map(([one]) => one);
  return [...new Set([cluster, second, ...near])].slice(0, mostCandidates);
}
