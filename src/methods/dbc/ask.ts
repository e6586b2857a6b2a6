/** What to ask a person about a run, so that each answer teaches most. Clusters are those that were decided. */
import { claimOf } from "../../clustering/corrected-scores.ts";
import { chooseQuestions } from "../../clustering/questions.ts";
import type { Images } from "../../images/dataset.ts";
import type { DecidedConstraints } from "../../runs/decisions/constraints.ts";
import type { MethodOptions } from "../method.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { type Learned, type SeenImages, seeImages } from "./learned.ts";
import { type ClusterNumbers, clusterNumbers } from "./refined-clusters.ts";

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

export interface AskOptions extends Pick<MethodOptions, "threads" | "device" | "signal"> {
  /** Default: 20. */
  readonly count?: number;
  /** What `seeImages` gives, where it is at hand. */
  readonly seen?: SeenImages;
}

/** More would be hard to tell apart at a glance. */
const mostCandidates = 4;

/** The most telling first; about images of which nobody has said anything. */
export async function ask(
  images: Images,
  learned: Learned,
  constraints: DecidedConstraints,
  { count = 20, seen: given, ...options }: AskOptions = {},
): Promise<readonly Question[]> {
  const { decided } = constraints;
  if (images.count < 2 || clusterNumbers(decided).size < 2) return [];
  const seen = given ?? (await seeImages(images, learned, options));
  const evidence = evidenceOf(constraints, seen);
  const { k, known, corrected, numbers } = evidence;
  const isKnown = (image: number): boolean => known[image] >= 0 || decided.cluster[image] < 0;
  const doubts = Float32Array.from(known, (_, image) => 1 - claimOf(corrected, image, k).margin);
  const merges = doubleClusters(evidence, constraints);
  const open = chooseQuestions(seen.graph, { count: Math.max(0, count - merges.length), doubts, isKnown });
  return [
    ...merges.slice(0, count),
    ...open.map(
      ({ sample: image, speaksFor }): Question => ({
        kind: "image",
        image,
        candidates: candidatesFor(image, corrected, numbers),
        speaksFor,
      }),
    ),
  ];
}

function candidatesFor(image: number, scores: Float32Array, numbers: ClusterNumbers): readonly number[] {
  const scoreOf = (number: number): number => scores[image * numbers.size + number];
  return [...numbers]
    .sort(([, a], [, b]) => scoreOf(b) - scoreOf(a))
    .slice(0, mostCandidates)
    .map(([cluster]) => cluster);
}

/** So many images of a cluster must have been moved to one and the same other, and none confirmed. */
const fewestMoves = 2;

const mostShown = 8;

/** Clusters of which every answer says that they are another; whether the whole of them is has not been asked. */
function doubleClusters(
  { k, said: scores, known, numbers }: Evidence,
  constraints: DecidedConstraints,
): readonly Question[] {
  const clusters = [...numbers.keys()];
  const answers = answersByClaim(scores, known, k);
  return [...numbers].flatMap(([cluster, number]): Question[] => {
    const said = answers.subarray(number * k, (number + 1) * k);
    const all = said.reduce((total, count) => total + count);
    const other = said.indexOf(all);
    if (all < fewestMoves || other < 0 || other === number) return [];
    const into = clusters.find((one) => numbers.get(one) === other);
    if (into === undefined || areApart(cluster, into, constraints)) return [];
    const [first, second] = [into, cluster].map((of) => typicalImages(of, { scores, numbers, constraints }));
    if (first.length === 0 || second.length === 0) return [];
    return [{ kind: "clusters", clusters: [into, cluster], examples: [first, second] }];
  });
}

/** [k, k]: of how many images that the model has in the one cluster people say that they are in the other. */
function answersByClaim(scores: Float32Array, known: Int32Array, k: number): Uint32Array {
  const counts = new Uint32Array(k * k);
  known.forEach((cluster, image) => {
    if (cluster >= 0) counts[claimOf(scores, image, k).best * k + cluster]++;
  });
  return counts;
}

/** Whether somebody has said of images of the two that they do not belong together. */
const areApart = (a: number, b: number, { apart, decided: { cluster } }: DecidedConstraints): boolean =>
  apart.some(
    ([one, other]) => new Set([a, b, cluster[one], cluster[other]]).size === 2 && cluster[one] !== cluster[other],
  );

/** Of images that are still in the cluster. */
function typicalImages(
  cluster: number,
  {
    scores,
    numbers,
    constraints: { decided },
  }: { readonly scores: Float32Array; readonly numbers: ClusterNumbers; readonly constraints: DecidedConstraints },
): readonly number[] {
  const k = numbers.size;
  const number = numbers.get(cluster) ?? 0;
  return Array.from(decided.cluster.keys())
    .filter((image) => decided.cluster[image] === cluster && claimOf(scores, image, k).best === number)
    .sort((a, b) => scores[b * k + number] - scores[a * k + number])
    .slice(0, mostShown);
}
