/**
 * Puts programs of ours before and behind a model of somebody else's, as one model. Whatever operators, functions and
 * types it has, it keeps; only names of tensors change, so that none of its names is one of ours.
 */
import type { Program } from "../engine/program.ts";
import { operatorDomain } from "./model-facts.ts";
import { delimitedField, fieldsOf, joinPieces, type Pieces, textField, textOf, type WireField } from "./wire.ts";

export interface SpliceOptions {
  /** The input of the model that the one output of `before` goes to. */
  readonly input: string;
  /** The tensor of the model, an output or any other, that the one input of `after` is. */
  readonly output: string;
  /** Like `after`, encoded for the model's version of ONNX, which becomes that of the whole. */
  readonly before: Program;
  readonly after: Program;
}

/** Field numbers of `onnx.proto`. */
const modelFields = { irVersion: 1, producer: 2, graph: 7, opset: 8, metadata: 14, functions: 25 };
const graphFields = { node: 1, name: 2, input: 11, output: 12 };

/** From `before`'s inputs to `after`'s outputs. */
export function splice(model: Uint8Array, { input, output, before, after }: SpliceOptions): Program {
  const first = renamedGraph(before.model, (name) => {
    if (Object.hasOwn(before.outputs, name)) return inModel(input);
    return Object.hasOwn(before.inputs, name) ? name : `before/${name}`;
  });
  const middle = renamedGraph(model, inModel);
  const last = renamedGraph(after.model, (name) => {
    if (Object.hasOwn(after.inputs, name)) return inModel(output);
    return Object.hasOwn(after.outputs, name) ? name : `after/${name}`;
  });
  const graph = [
    ...[first, middle, last].flatMap(({ nodes }) => nodes),
    ...first.ends.filter(({ id }) => id !== graphFields.output),
    ...last.ends.filter(({ id }) => id === graphFields.output),
    ...[first, middle, last].flatMap(({ others }) => others),
  ].flatMap(({ pieces }) => pieces);
  const head = modelHead([before.model, model, after.model]);
  return {
    model: joinPieces([...head, ...delimitedField(modelFields.graph, graph)]),
    inputs: before.inputs,
    outputs: after.outputs,
    states: {},
  };
}

/** Names that begin so are the model's, and no others. */
const inModel = (name: string): string => `backbone/${name}`;

/** Everything but the graph: our version, producer and notes; its operator sets and functions, and what ours add. */
function modelHead([before, model, after]: readonly Uint8Array[]): Pieces {
  const fields = (bytes: Uint8Array, ...ids: readonly number[]): WireField[] =>
    [...fieldsOf(bytes)].filter(({ id }) => ids.includes(id));
  const ours = fields(after, modelFields.irVersion)[0];
  const theirs = fields(model, modelFields.irVersion).at(-1) ?? ours;
  // The model's come first, and the first of a domain counts.
  const sets = new Map<string, WireField>();
  for (const set of [model, before, after].flatMap((bytes) => fields(bytes, modelFields.opset))) {
    const domain = operatorDomain(set.content);
    if (!sets.has(domain)) sets.set(domain, set);
  }
  return [
    theirs.number > ours.number ? theirs : ours,
    ...fields(after, modelFields.producer, modelFields.metadata),
    ...sets.values(),
    ...fields(model, modelFields.functions),
  ].map(({ whole }) => whole);
}

type Rename = (name: string) => string;

interface RenamedField {
  readonly id: number;
  readonly pieces: Pieces;
}

interface RenamedGraph {
  readonly nodes: readonly RenamedField[];
  /** The graph's name, inputs and outputs. */
  readonly ends: readonly RenamedField[];
  /** Constants, and what is known of tensors. */
  readonly others: readonly RenamedField[];
}

function renamedGraph(model: Uint8Array, rename: Rename): RenamedGraph {
  const graph = [...fieldsOf(model)].find(({ id }) => id === modelFields.graph);
  if (graph === undefined) throw new Error("the model has no graph");
  const fields = Array.from(fieldsOf(graph.content), (field) => ({
    id: field.id,
    pieces: renamedField(field, graphPlan, rename),
  }));
  const { node, name, input, output } = graphFields;
  const isEnd = (id: number): boolean => [name, input, output].includes(id);
  return {
    nodes: fields.filter(({ id }) => id === node),
    ends: fields.filter(({ id }) => isEnd(id)),
    others: fields.filter(({ id }) => id !== node && !isEnd(id)),
  };
}

/** Where a message holds names of tensors, by field number: in itself, or in the messages within it. */
interface NamePlan {
  readonly [id: number]: "name" | (() => NamePlan);
}

const valuePlan: NamePlan = { 1: "name" };
const tensorPlan: NamePlan = { 8: "name" };
const attributePlan: NamePlan = { 6: () => graphPlan, 11: () => graphPlan };
const nodePlan: NamePlan = { 1: "name", 2: "name", 3: "name", 5: () => attributePlan };
/** Nodes, constants, inputs, outputs, shapes of tensors, scales of quantized tensors, sparse constants. */
const graphPlan: NamePlan = {
  1: () => nodePlan,
  5: () => tensorPlan,
  11: () => valuePlan,
  12: () => valuePlan,
  13: () => valuePlan,
  14: () => ({ 1: "name", 2: () => ({ 2: "name" }) }),
  15: () => ({ 1: () => tensorPlan }),
};

function renamedField(field: WireField, plan: NamePlan, rename: Rename): Pieces {
  const found = plan[field.id];
  // An empty name stands for an input that is left out.
  if (found === undefined || field.content.length === 0) return [field.whole];
  if (found === "name") return textField(field.id, rename(textOf(field)));
  const inner = found();
  return delimitedField(
    field.id,
    [...fieldsOf(field.content)].flatMap((part) => renamedField(part, inner, rename)),
  );
}
