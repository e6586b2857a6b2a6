/**
 * What decisions say about the images that nobody has named. An answer to a question speaks for images like it. Whoever
 * corrects a cluster of their own accord also speaks for what they saw there and left: of its images that are not like
 * those they took, the typical ones stay.
 */
import { claimOf, correctedScores } from "../../clustering/corrected-scores.ts";
import { spreadLabels } from "../../clustering/label-spreading.ts";
import type { NeighbourGraph } from "../../clustering/neighbour-graph.ts";
import { linkPairs } from "../../clustering/pair-links.ts";
import type { DecidedConstraints } from "../../runs/decisions/constraints.ts";
import { clusterNumbers, decidedScores, renumbered } from "./refined-clusters.ts";

export interface Evidence {
  /** The number of clusters that were decided. */
  readonly k: number;
  /** Of each cluster that was decided, its number from 0 to k − 1. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Of each image, by that number, the cluster that people say it is in, or −1. */
  readonly known: Int32Array;
  /** What the run says, which is the model's word, smoothed: [images, k]. */
  readonly said: Float32Array;
  /** What both say, [images, k]: what is asked follows from it. */
  readonly corrected: Float32Array;
  /** What is learned, [images, k]: the same, but for clusters about which nobody has contradicted the model. */
  readonly learned: Float32Array;
}

/** So many typical images of a cluster from which others were taken are taken to stay. */
const mostTypical = 16;

export function evidenceOf(
  constraints: DecidedConstraints,
  { graph, scores }: { readonly graph: NeighbourGraph; readonly scores: Float32Array },
): Evidence {
  const { decided } = constraints;
  const numbers = clusterNumbers(decided);
  const k = numbers.size;
  const known = renumbered(constraints.known, numbers);
  const said = decidedScores(scores, decided, numbers);
  const evidence = { known, said, k, constraints };
  const linked = linkPairs(graph, constraints);
  const staying = known.slice();
  for (const image of [...whatStays(linked, evidence), ...unspokenFor(evidence)])
    staying[image] = claimOf(said, image, k).best;
  const corrected = correctedScores(linked, said, staying, { k });
  const learned = keepUncontradicted(corrected, evidence);
  partPairs(learned, evidence);
  return { k, numbers, known, said, corrected, learned };
}

interface Said extends Pick<Evidence, "known" | "said" | "k"> {
  readonly constraints: DecidedConstraints;
}

/** Typical images of clusters from which others were taken unasked, among the half that these reach least. */
function whatStays(
  graph: NeighbourGraph,
  { known, said, k, constraints: { asked, decided } }: Said,
): readonly number[] {
  const corrected = new Set<number>();
  const others = Array.from({ length: k }, (): number[] => []);
  known.forEach((cluster, image) => {
    const { best } = claimOf(said, image, k);
    if (cluster < 0) {
      if (decided.cluster[image] >= 0) others[best].push(image);
    } else if (cluster !== best && asked[image] === 0) corrected.add(best);
  });
  if (corrected.size === 0) return [];
  const spread = spreadLabels(graph, known, { k });
  return [...corrected].flatMap((cluster) => {
    const reached = new Map(others[cluster].map((image) => [image, reachedOf(spread, image, cluster, k)] as const));
    const unlike = others[cluster].sort((a, b) => (reached.get(a) ?? 0) - (reached.get(b) ?? 0));
    return unlike
      .slice(0, Math.ceil(unlike.length / 2))
      .sort((a, b) => said[b * k + cluster] - said[a * k + cluster])
      .slice(0, mostTypical);
  });
}

/** The most typical image of each cluster that nobody has spoken of: others would reach into it unopposed. */
function unspokenFor({ known, said, k, constraints: { decided } }: Said): readonly number[] {
  if (known.every((cluster) => cluster < 0)) return [];
  const typical = new Int32Array(k).fill(-1);
  const spoken = new Set<number>();
  known.forEach((cluster, image) => {
    const { best } = claimOf(said, image, k);
    if (cluster >= 0) spoken.add(best).add(cluster);
    const before = typical[best];
    if (decided.cluster[image] >= 0 && (before < 0 || said[image * k + best] > said[before * k + best]))
      typical[best] = image;
  });
  return [...typical].filter((image, cluster) => image >= 0 && !spoken.has(cluster));
}

/** Of a cluster about which nobody has contradicted the model, answers about others are no reason to doubt it. */
function keepUncontradicted(
  corrected: Float32Array,
  { known, said, k, constraints: { together } }: Said,
): Float32Array {
  const contradicted = new Set<number>();
  const claims = Int32Array.from(known, (_, image) => claimOf(said, image, k).best);
  known.forEach((cluster, image) => {
    if (cluster >= 0 && cluster !== claims[image]) contradicted.add(claims[image]);
  });
  for (const [a, b] of together) if (claims[a] !== claims[b]) contradicted.add(claims[a]).add(claims[b]);
  const kept = corrected.slice();
  claims.forEach((claim, image) => {
    if (!contradicted.has(claim)) kept.set(said.subarray(image * k, (image + 1) * k), image * k);
  });
  return kept;
}

/** How much of other clusters reaches an image. */
function reachedOf(spread: Float32Array, image: number, cluster: number, k: number): number {
  let reached = -spread[image * k + cluster];
  for (let j = 0; j < k; j++) reached += spread[image * k + j];
  return reached;
}

/** Of two images that do not belong together, and would be in one cluster, the less certain goes to its second best. */
function partPairs(corrected: Float32Array, { known, k, constraints: { apart } }: Said): void {
  const claimed = (image: number) =>
    known[image] < 0
      ? claimOf(corrected, image, k)
      : { best: known[image], second: -1, margin: Number.POSITIVE_INFINITY };
  for (const [a, b] of apart) {
    const [first, second] = [claimed(a), claimed(b)];
    if (first.best !== second.best) continue;
    const [image, claim] = first.margin < second.margin ? [a, first] : [b, second];
    if (claim.second < 0) continue;
    const [best, next] = [image * k + claim.best, image * k + claim.second];
    [corrected[best], corrected[next]] = [corrected[next], corrected[best]];
  }
}
