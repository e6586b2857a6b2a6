/**
 * Which of a model's tensors describes an image, and how it becomes one vector: a pooled embedding as it is, else the
 * CLS token, else the mean of the tokens or of the map. Of a classifier, what its last layer looks at: classes of
 * somebody else's say less.
 */
import { InputError } from "../files/errors.ts";
import type { ModelFacts, NodeFacts } from "../graph/model-facts.ts";

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
const classNames = /(logits|softmax|prob|class|score|predictions?)/i;

/** Sizes of the usual sets of classes: ImageNet's, with and without "background", and its larger sister. */
const classCounts = [1000, 1001, 21841, 21843];

export interface RuleContext {
  /** Whether the model's images have their channels last. */
  readonly channelsLast: boolean;
  /** Whether the model's description says that it classifies. */
  readonly classifies: boolean;
  /** What the user asked for: a tensor's name, perhaps with ":cls" or ":mean" behind it. */
  readonly wanted: string | undefined;
}

/** Tensors worth looking at, so that their shapes are found by one run. */
export function candidateTensors(facts: ModelFacts, { wanted }: RuleContext): readonly string[] {
  if (wanted !== undefined) return [parseWanted(wanted, facts).tensor];
  const outputs = facts.outputs.map(({ name }) => name);
  const beforeClasses = outputs.flatMap((name) => classifierInput(facts, name) ?? []);
  return [...new Set([...outputs, ...beforeClasses])];
}

export function chooseOutput(
  facts: ModelFacts,
  shapes: ReadonlyMap<string, readonly number[]>,
  context: RuleContext,
): BackboneOutput {
  const { wanted, channelsLast } = context;
  const read = (tensor: string, pooled?: "cls" | "mean"): BackboneOutput | undefined =>
    asVector(tensor, shapes.get(tensor) ?? [], { channelsLast, pooled });
  if (wanted !== undefined) {
    const { tensor, pooled } = parseWanted(wanted, facts);
    return read(tensor, pooled) ?? refuse(tensor, shapes);
  }
  const names = facts.outputs.map(({ name }) => name);
  const isPooled = (name: string): boolean => shapes.get(name)?.length === 2;
  const embedding = embeddingNames
    .flatMap((pattern) => names.filter((name) => pattern.test(name) && isPooled(name)))
    .at(0);
  if (embedding !== undefined) return read(embedding) ?? refuse(embedding, shapes);
  const tokens = names.find((name) => shapes.get(name)?.length === 3);
  if (tokens !== undefined) return read(tokens) ?? refuse(tokens, shapes);
  const first = names.find((name) => !isClasses(name, shapes.get(name), context)) ?? names[0];
  const before = isClasses(first, shapes.get(first), context) ? classifierInput(facts, first) : undefined;
  return (before === undefined ? undefined : read(before)) ?? read(first) ?? refuse(first, shapes);
}

function refuse(tensor: string, shapes: ReadonlyMap<string, readonly number[]>): never {
  throw new InputError(
    `the model's "${tensor}" has shape [${shapes.get(tensor)?.join(", ")}], which is no vector, tokens or map of an image; ` +
      "name another tensor",
    { option: "backboneOutput" },
  );
}

function isClasses(name: string, shape: readonly number[] | undefined, { classifies }: RuleContext): boolean {
  return classifies || classNames.test(name) || classCounts.includes(shape?.at(-1) ?? 0);
}

interface Reading {
  readonly channelsLast: boolean;
  readonly pooled?: "cls" | "mean" | undefined;
}

function asVector(
  tensor: string,
  shape: readonly number[],
  { channelsLast, pooled }: Reading,
): BackboneOutput | undefined {
  const [, ...rest] = shape;
  if (rest.length === 1) return { tensor, pooling: "none", size: rest[0] };
  if (rest.length === 2) {
    const first = pooled === undefined ? !isSquare(rest[0]) : pooled === "cls";
    return { tensor, pooling: first ? "cls" : "tokens", size: rest[1] };
  }
  if (rest.length !== 3) return undefined;
  return channelsLast
    ? { tensor, pooling: "map, channels last", size: rest[2] }
    : { tensor, pooling: "map", size: rest[0] };
}

/** Patches of a square image alone are a square number; with a CLS token before them they are not. */
const isSquare = (count: number): boolean => Number.isInteger(Math.sqrt(count));

function parseWanted(wanted: string, { nodes, outputs }: ModelFacts): { tensor: string; pooled?: "cls" | "mean" } {
  const known = (name: string): boolean =>
    outputs.some((output) => output.name === name) || nodes.some((node) => node.outputs.includes(name));
  if (known(wanted)) return { tensor: wanted };
  for (const pooled of ["cls", "mean"] as const) {
    const tensor = wanted.slice(0, -pooled.length - 1);
    if (wanted === `${tensor}:${pooled}` && known(tensor)) return { tensor, pooled };
  }
  throw new InputError(
    `the model has no tensor "${wanted}"; it gives: ${outputs.map(({ name }) => name).join(", ")} (":cls" or ":mean" may follow)`,
    { option: "backboneOutput" },
  );
}

/** Operators between the last layer and the classes that are given. */
const passing = ["Softmax", "LogSoftmax", "Sigmoid", "Identity", "Cast", "Reshape", "Flatten", "Squeeze", "Add"];
const layers = ["Gemm", "MatMul", "Conv"];

/** What the last layer before `tensor` takes; undefined where there is no such layer. */
function classifierInput({ nodes }: ModelFacts, tensor: string): string | undefined {
  const maker = new Map<string, NodeFacts>(nodes.flatMap((node) => node.outputs.map((name) => [name, node])));
  let current = tensor;
  for (let steps = 0; steps < 8; steps++) {
    const node = maker.get(current);
    if (node === undefined) return undefined;
    if (layers.includes(node.operator)) return maker.has(node.inputs[0]) ? node.inputs[0] : undefined;
    if (!passing.includes(node.operator)) return undefined;
    // Of a sum with a bias, the side that is computed.
    current = node.inputs.find((name) => maker.has(name)) ?? "";
  }
  return undefined;
}
