/** A decision that the page asks for, by numbers, as the log has it: with the keys of images and examples of clusters. */
import { clusterReference, mostExamples } from "../../runs/decisions/cluster-reference.ts";
import type { Action, ClusterReference, ImageKey } from "../../runs/decisions/decision.ts";
import type { Decided } from "../../runs/decisions/fold-decisions.ts";
import type { DecisionRequest, LearnedChange } from "../api.ts";
import { malformed, notNow } from "../refusal.ts";

export interface ActionContext {
  readonly keys: readonly ImageKey[];
  readonly scores: ArrayLike<number>;
  readonly decided: Decided;
}

export function makeAction(request: DecisionRequest, context: ActionContext): Action {
  const { keys, decided } = context;
  const keysOf = (images: readonly number[]): readonly ImageKey[] => [...new Set(images.map((image) => keys[image]))];
  const known = (cluster: number): ClusterReference => reference(cluster, context);
  switch (request.kind) {
    case "rename":
      return { kind: "rename", of: known(request.cluster), name: request.name };
    case "merge": {
      const [into, ...from] = [...new Set(request.clusters)].map(known);
      if (from.length === 0) throw malformed("clusters: give at least two that are not the same");
      return { kind: "merge", into, from };
    }
    case "split":
      expectParts(request, decided);
      return {
        kind: "split",
        of: known(request.cluster),
        parts: request.parts.map(({ images, name }, index) => ({
          cluster: decided.nextCluster + index,
          ...nameNote(name),
          images: keysOf(images),
        })),
      };
    case "move":
      if (isThere(request, decided))
        return { kind: "confirm", images: keysOf(request.images), of: known(request.to), asked: true };
      return {
        kind: "move",
        images: keysOf(request.images),
        to:
          typeof request.to === "number"
            ? known(request.to)
            : { cluster: decided.nextCluster, ...nameNote(request.to.name) },
        ...askedNote(request.asked),
      };
    case "confirm": {
      const [first, ...others] = new Set(request.images.map((image) => decided.cluster[image]));
      const of = others.length === 0 && first >= 0 ? { of: known(first) } : {};
      return { kind: "confirm", images: keysOf(request.images), ...of, ...askedNote(request.asked) };
    }
    case "same":
    case "different": {
      const [first, second] = request.images;
      if (keys[first] === keys[second]) throw malformed("images: these two are the same picture");
      return { kind: request.kind, images: [keys[first], keys[second]] };
    }
    default:
      return { kind: request.kind, images: keysOf(request.images) };
  }
}

type MoveRequest = Extract<DecisionRequest, { readonly kind: "move" }>;

/** Whether somebody answers that images belong where they are already, which confirms them. */
const isThere = (request: MoveRequest, { cluster }: Decided): request is MoveRequest & { readonly to: number } =>
  request.asked === true && request.images.every((image) => cluster[image] === request.to);

const askedNote = (asked = false): { readonly asked?: true } => (asked ? { asked: true } : {});

/** What a refined run says, or a part of it. */
export interface Learned {
  readonly changes: readonly LearnedChange[];
  /** By which the refined run is known. */
  readonly hash: string;
}

/** Images that come from several clusters to one are one move. */
export function learnAction({ changes, hash }: Learned, context: ActionContext): Action {
  const images = new Map<number, Set<ImageKey>>();
  for (const change of changes)
    for (const image of change.images)
      images.set(change.to, (images.get(change.to) ?? new Set()).add(context.keys[image]));
  if (images.size === 0) throw malformed("images: none of them would go elsewhere");
  const moves = [...images].map(([cluster, keys]) => {
    const to = clusterReference(cluster, context);
    // What is left of a cluster without images is those that go there.
    const examples = to.examples.length > 0 ? to.examples : [...keys].slice(0, mostExamples);
    return { images: [...keys], to: { cluster, examples } };
  });
  return { kind: "learn", moves, run: hash };
}

/** Another page may have merged it away meanwhile. */
function reference(cluster: number, context: ActionContext): ClusterReference {
  if (!context.decided.clusters.some((one) => one.cluster === cluster))
    throw notNow(`there is no cluster ${cluster} any more`);
  return clusterReference(cluster, context);
}

function expectParts({ cluster, parts }: Extract<DecisionRequest, { readonly kind: "split" }>, decided: Decided): void {
  const images = parts.flatMap((part) => part.images);
  if (new Set(images).size < images.length) throw malformed("parts: no image can be in two of them");
  if (images.some((image) => decided.cluster[image] !== cluster))
    throw notNow(`not all of these images are in cluster ${cluster} any more`);
}

const nameNote = (name: string | undefined): { readonly name?: string } =>
  name === undefined || name === "" ? {} : { name };
