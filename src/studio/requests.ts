/** What pages may ask for: everything that comes in is checked before anything is done with it. */
import type { AcceptRequest, DecisionRequest, OrganizeRequest, SplitPreviewRequest, TrainingRequest } from "./api.ts";
import { malformed } from "./refusal.ts";
import { type ImageQuery, imageStates } from "./run/image-order.ts";

/** Longer names of clusters would fit no folder's name. */
const longestName = 200;
const mostParts = 12;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown, what = "the request"): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed(`${what} must be a JSON object`);
  return { ...value };
}

export function wholeNumber(value: unknown, name: string, { least = 0, most = Number.MAX_SAFE_INTEGER } = {}): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least || value > most)
    throw malformed(`${name} must be a whole number from ${least} to ${most}`);
  return value;
}

function text(value: unknown, name: string): string {
  if (typeof value !== "string" || value.length > longestName)
    throw malformed(`${name} must be text of at most ${longestName} characters`);
  return value;
}

function choice<const Choice extends string>(value: unknown, name: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined) throw malformed(`${name} must be one of ${choices.join(", ")}`);
  return chosen;
}

function list(value: unknown, name: string, { least = 1, most = Number.MAX_SAFE_INTEGER } = {}): readonly unknown[] {
  if (!Array.isArray(value) || value.length < least || value.length > most)
    throw malformed(`${name} must be a list of at least ${least}`);
  return value;
}

const numbers = (value: unknown, name: string, { most, least = 1 }: { most: number; least?: number }): number[] =>
  list(value, name, { least }).map((one) => wholeNumber(one, name, { most }));

const optionalName = (name: unknown): { readonly name?: string } =>
  name === undefined ? {} : { name: text(name, "name") };

function askedFlag(asked: unknown): { readonly asked?: true } {
  if (asked !== undefined && typeof asked !== "boolean") throw malformed("asked must be true or false");
  return asked ? { asked: true } : {};
}

/** `count`: images that there are. */
export function decisionRequest(value: unknown, count: number): DecisionRequest {
  const { kind, ...fields } = fieldsOf(value);
  const images = (given: unknown): number[] => numbers(given, "images", { most: count - 1 });
  const cluster = (given: unknown, name = "cluster"): number => wholeNumber(given, name);
  switch (kind) {
    case "rename":
      return { kind, cluster: cluster(fields.cluster), name: text(fields.name, "name") };
    case "merge":
      return { kind, clusters: numbers(fields.clusters, "clusters", { least: 2, most: Number.MAX_SAFE_INTEGER }) };
    case "split":
      return {
        kind,
        cluster: cluster(fields.cluster),
        parts: list(fields.parts, "parts", { most: mostParts }).map((part) => {
          const { name, ...rest } = fieldsOf(part, "a part");
          return { images: images(rest.images), ...optionalName(name) };
        }),
      };
    case "move":
      return {
        kind,
        images: images(fields.images),
        to: typeof fields.to === "number" ? cluster(fields.to, "to") : optionalName(fieldsOf(fields.to, "to").name),
        ...askedFlag(fields.asked),
      };
    case "confirm":
      return { kind, images: images(fields.images), ...askedFlag(fields.asked) };
    case "aside":
    case "take-back":
      return { kind, images: images(fields.images) };
    case "same":
    case "different": {
      const [first, second, ...more] = images(fields.images);
      if (second === undefined || more.length > 0) throw malformed("images must be two");
      return { kind, images: [first, second] };
    }
    default:
      throw malformed("kind must be one of rename, merge, split, move, aside, take-back, confirm, same, different");
  }
}

export const acceptRequest = (value: unknown, count: number): AcceptRequest => ({
  images: numbers(fieldsOf(value).images, "images", { most: count - 1 }),
});

const mostQuestions = 200;

/** From an address. */
export const questionCount = (given: string | undefined): number =>
  given === undefined ? 20 : numberIn(given, "count", mostQuestions, 1);

export function splitPreviewRequest(value: unknown): SplitPreviewRequest {
  const { cluster, parts } = fieldsOf(value);
  return {
    cluster: wholeNumber(cluster, "cluster"),
    parts: wholeNumber(parts, "parts", { least: 2, most: mostParts }),
  };
}

export const organizeRequest = (value: unknown): OrganizeRequest => ({
  by: choice(fieldsOf(value).by, "by", ["link", "copy", "move"]),
});

/** `backbones`: those that can be chosen. */
export function trainingRequest(value: unknown, backbones: readonly string[]): TrainingRequest {
  const { k, seed, backbone, effort } = fieldsOf(value);
  return {
    k: k === "auto" ? k : wholeNumber(k, "k", { least: 1, most: 10_000 }),
    ...(seed === undefined ? {} : { seed: wholeNumber(seed, "seed", { most: 2 ** 32 - 1 }) }),
    ...(backbone === undefined ? {} : { backbone: choice(backbone, "backbone", [...backbones, "none"]) }),
    ...(effort === undefined ? {} : { effort: choice(effort, "effort", ["default", "quick"]) }),
  };
}

/** From an address, where everything is text. */
export function imageQuery(of: string, query: Readonly<Record<string, string>>, count: number): ImageQuery {
  const { order = "score", like, least, most, state, name } = query;
  const wanted: ImageQuery = {
    of: of === "aside" || of === "all" ? of : numberIn(of, "cluster"),
    order: choice(order, "order", ["score", "doubt", "likeness"]),
    like: like === undefined ? undefined : numberIn(like, "like", count - 1),
    least: least === undefined ? undefined : score(least, "least"),
    most: most === undefined ? undefined : score(most, "most"),
    state: state === undefined ? undefined : choice(state, "state", imageStates),
    name: name === undefined ? undefined : text(name, "name"),
  };
  if (wanted.order === "likeness" && wanted.like === undefined)
    throw malformed("like must be the number of an image where the order is likeness");
  return wanted;
}

const mostNumbers = 500;

export function imageNumbers(given: string, count: number): number[] {
  const parts = given.split(",");
  if (parts.length > mostNumbers) throw malformed(`numbers must be at most ${mostNumbers}`);
  return parts.map((one) => numberIn(one, "numbers", count - 1));
}

function numberIn(given: string, name: string, most = Number.MAX_SAFE_INTEGER, least = 0): number {
  return wholeNumber(/^\d{1,15}$/.test(given) ? Number(given) : undefined, name, { most, least });
}

function score(given: string, name: string): number {
  const value = Number(given);
  if (!/^[\d.e-]{1,24}$/.test(given) || !Number.isFinite(value)) throw malformed(`${name} must be a number`);
  return value;
}
