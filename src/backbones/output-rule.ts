/**
 * Which of a model's tensors describes an image, and how it becomes one vector: a pooled embedding as it is, else the
 * CLS token, else the mean of the tokens or of the map. Of a classifier, what its last layer looks at: classes of
 * somebody else's say less.
 */
import { InputError } from "../files/errors.ts";
import type { ModelFacts } from "../graph/model-facts.ts";
import { classifierInput, isClasses } from "./classifier.ts";

/** How a tensor [batch, …] becomes a vector: as it is, its first token, or the mean of its tokens or its map. */
export type Pooling = "none" | "cls" | "tokens" | "map" | "map, channels last";

export interface BackboneOutput {
  readonly tensor: string;
  readonly pooling: Pooling;
  /** The length of the vector. */
  readonly size: number;
}

export const poolingWords: Readonly<Record<Pooling, string>> = {
  none: "as it is",
  cls: "its CLS token",
  tokens: "the mean of its tokens",
  map: "the mean of its map",
  "map, channels last": "the mean of its map",
};

/** What people call the vector of an image, the best first. */
const embeddingNames = [
  /^image_embeds$/,
  /^image_(embedding|feature)s?$/,
  /^pooler_output$/,
  /(^|[_/.])(embeddings?|embeds|pooled|features?)([_/.\d]|$)/i,
];

/** What the user asked for. */
export interface WantedOutput {
  readonly tensor: string;
  readonly pooled: "cls" | "mean" | undefined;
}

export interface RuleContext {
  /** The model, which messages name. */
  readonly file: string;
  /** Whether the model's images have their channels last. */
  readonly channelsLast: boolean;
  /** Whether the model's description says that it classifies. */
  readonly classifies: boolean;
  readonly wanted: WantedOutput | undefined;
}

/** Shapes of tensors by name, of a run with so many images. */
export interface ProbedShapes {
  readonly batch: number;
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

/** A tensor's name, an output's or any other's, perhaps with ":cls" or ":mean" behind it. */
export function parseWanted(wanted: string, { nodes, outputs }: ModelFacts, file: string): WantedOutput {
  const known = (name: string): boolean =>
    outputs.some((output) => output.name === name) || nodes.some((node) => node.outputs.includes(name));
  if (known(wanted)) return { tensor: wanted, pooled: undefined };
  for (const pooled of ["cls", "mean"] as const) {
    const tensor = wanted.slice(0, -pooled.length - 1);
    if (wanted === `${tensor}:${pooled}` && known(tensor)) return { tensor, pooled };
  }
  throw new InputError(
    `${file}: has no tensor "${wanted}"; it gives ${outputs.map(({ name }) => name).join(", ")}, and ":cls" or ` +
      '":mean" may follow',
    { option: "backboneOutput" },
  );
}

/** Tensors worth looking at, so that their shapes are found by one run. */
export function candidateTensors(facts: ModelFacts, { wanted }: RuleContext): readonly string[] {
  if (wanted !== undefined) return [wanted.tensor];
  const outputs = facts.outputs.map(({ name }) => name);
  const beforeClasses = outputs.flatMap((name) => classifierInput(facts, name) ?? []);
  return [...new Set([...outputs, ...beforeClasses])];
}

export function chooseOutput(facts: ModelFacts, probed: ProbedShapes, context: RuleContext): BackboneOutput {
  const { wanted, file } = context;
  const choice = wanted ?? { tensor: chooseTensor(facts, probed, context), pooled: undefined };
  const vector = asVector(choice, probed, context);
  if (vector !== undefined) return vector;
  const shape = probed.shapes.get(choice.tensor)?.join(", ") ?? "?";
  const asked = choice.pooled === undefined ? "" : `, of which there is no "${choice.pooled}"`;
  throw new InputError(
    `${file}: "${choice.tensor}" of ${probed.batch} images has shape [${shape}]${asked}; a backbone gives a vector, ` +
      "tokens or a map for each image: name a tensor that does",
    { option: "backboneOutput" },
  );
}

function chooseTensor(facts: ModelFacts, probed: ProbedShapes, context: RuleContext): string {
  const shapeOf = (name: string): readonly number[] => probed.shapes.get(name) ?? [];
  const names = facts.outputs.map(({ name }) => name);
  const pooled = names.filter((name) => shapeOf(name).length === 2);
  const others = names.filter((name) => !isClasses(name, shapeOf(name), context.classifies));
  const found =
    embeddingNames.flatMap((pattern) => pooled.filter((name) => pattern.test(name)))[0] ??
    pooled.find((name) => others.includes(name)) ??
    others.find((name) => shapeOf(name).length === 3) ??
    others[0];
  if (found !== undefined) return found;
  const before = classifierInput(facts, names[0]);
  const usable = before !== undefined && asVector({ tensor: before, pooled: undefined }, probed, context) !== undefined;
  return usable ? before : names[0];
}

function asVector(
  { tensor, pooled }: WantedOutput,
  { shapes, batch }: ProbedShapes,
  { channelsLast }: RuleContext,
): BackboneOutput | undefined {
  const [images, ...shape] = shapes.get(tensor) ?? [];
  if (images !== batch) return undefined;
  if (shape.length === 1 && pooled === undefined) return { tensor, pooling: "none", size: shape[0] };
  if (shape.length === 2) {
    const first = pooled === undefined ? !isSquare(shape[0]) : pooled === "cls";
    return { tensor, pooling: first ? "cls" : "tokens", size: shape[1] };
  }
  if (shape.length !== 3 || pooled === "cls") return undefined;
  return channelsLast
    ? { tensor, pooling: "map, channels last", size: shape[2] }
    : { tensor, pooling: "map", size: shape[0] };
}

/** Patches of a square image alone are a square number; with a CLS token before them they are not. */
const isSquare = (count: number): boolean => Number.isInteger(Math.sqrt(count));
