/**
 * Puts programs of ours before and behind a model of somebody else's, as one model. The model's own nodes and weights
 * stay the bytes that they were: whatever operators, functions and types it has, it keeps.
 */
import type { Program } from "../engine/program.ts";
import { delimitedField, delimitedHead, fieldsOf, joinBytes, textAt, textOf, type WireField } from "./wire.ts";

export interface SpliceOptions {
  /** The input of the model that the one output of `before` goes to. */
  readonly input: string;
  /** The tensor of the model, an output or any other, that the one input of `after` is. */
  readonly output: string;
  readonly before: Program;
  readonly after: Program;
}

/** Field numbers of `onnx.proto`. */
const modelFields = { irVersion: 1, producer: 2, graph: 7, opset: 8, metadata: 14, functions: 25 };
const graphFields = { node: 1, name: 2, initializer: 5, input: 11, output: 12 };

/** From `before`'s inputs to `after`'s outputs. */
export function splice(model: Uint8Array, { input, output, before, after }: SpliceOptions): Program {
  const kept = new Set([...Object.keys(before.inputs), ...Object.keys(after.outputs)]);
  const inModel = (name: string): string => (kept.has(name) ? `backbone/${name}` : name);
  const [fed] = Object.keys(before.outputs);
  const [taken] = Object.keys(after.inputs);
  const parts = [
    graphOf(before.model, ownNames("before", { kept, links: { [fed]: inModel(input) } })),
    graphOf(model, inModel),
    graphOf(after.model, ownNames("after", { kept, links: { [taken]: inModel(output) } })),
  ];
  const [first, middle, last] = parts.map((part) => [...fieldsOf(part)]);
  const ends: readonly number[] = [graphFields.input, graphFields.output, graphFields.name];
  const graph = [
    ...[first, middle, last].flatMap((fields) => fields.filter(({ id }) => id === graphFields.node)),
    ...first.filter(({ id }) => id === graphFields.name || id === graphFields.input),
    ...last.filter(({ id }) => id === graphFields.output),
    ...[first, last].flatMap((fields) => fields.filter(({ id }) => id === graphFields.initializer)),
    ...middle.filter(({ id }) => id !== graphFields.node && !ends.includes(id)),
  ].map(({ whole }) => whole);
  const length = graph.reduce((total, part) => total + part.length, 0);
  const bytes = joinBytes([
    ...modelHead([before.model, model, after.model]),
    delimitedHead(modelFields.graph, length),
    ...graph,
  ]);
  return { model: bytes, inputs: before.inputs, outputs: after.outputs, states: {} };
}

/** Everything but the graph: our version, producer and notes; its operator sets and functions, and what ours add. */
function modelHead([before, model, after]: readonly Uint8Array[]): Uint8Array[] {
  const fields = (bytes: Uint8Array, ...ids: readonly number[]): WireField[] =>
    [...fieldsOf(bytes)].filter(({ id }) => ids.includes(id));
  const ours = fields(after, modelFields.irVersion)[0];
  const theirs = fields(model, modelFields.irVersion).at(-1) ?? ours;
  const sets = fields(model, modelFields.opset);
  const domains = new Set(sets.map(({ content }) => textAt(content, 1)));
  const missing = [before, after]
    .flatMap((bytes) => fields(bytes, modelFields.opset))
    .filter(({ content }) => {
      const domain = textAt(content, 1);
      return !domains.has(domain) && domains.add(domain);
    });
  return [
    theirs.number > ours.number ? theirs : ours,
    ...fields(after, modelFields.producer, modelFields.metadata),
    ...sets,
    ...missing,
    ...fields(model, modelFields.functions),
  ].map(({ whole }) => whole);
}

type Rename = (name: string) => string;

/** Tensors of ours get names that the model has not, unless users know them or they are where the parts meet. */
const ownNames =
  (part: string, { kept, links }: { kept: ReadonlySet<string>; links: Readonly<Record<string, string>> }): Rename =>
  (name) =>
    links[name] ?? (kept.has(name) ? name : `boostcluster/${part}/${name}`);

function graphOf(model: Uint8Array, rename: Rename): Uint8Array {
  for (const { id, content } of fieldsOf(model))
    if (id === modelFields.graph) return renamed(content, graphPlan, rename);
  throw new Error("the model has no graph");
}

/** Where a message holds names of tensors, by field number: in itself, or in the messages within it. */
interface NamePlan {
  readonly [id: number]: "name" | (() => NamePlan);
}

const valuePlan: NamePlan = { 1: "name" };
const tensorPlan: NamePlan = { 8: "name" };
const attributePlan: NamePlan = { 6: () => graphPlan, 11: () => graphPlan };
const nodePlan: NamePlan = { 1: "name", 2: "name", 3: "name", 5: () => attributePlan };
const graphPlan: NamePlan = {
  1: () => nodePlan,
  5: () => tensorPlan,
  11: () => valuePlan,
  12: () => valuePlan,
  13: () => valuePlan,
  14: () => ({ 1: "name", 2: () => ({ 2: "name" }) }),
  15: () => ({ 1: () => tensorPlan }),
};

/** An empty name stands for an input that is left out. */
function renamed(message: Uint8Array, plan: NamePlan, rename: Rename): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const field of fieldsOf(message)) {
    const found = plan[field.id];
    if (found === undefined || field.content.length === 0) parts.push(field.whole);
    else if (found === "name") parts.push(delimitedField(field.id, new TextEncoder().encode(rename(textOf(field)))));
    else parts.push(delimitedField(field.id, renamed(field.content, found(), rename)));
  }
  return joinBytes(parts);
}
