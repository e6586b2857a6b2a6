/** Whether what was read is a decision: logs and imported files come from the disk, and may be anything. */
import type { Action, Decision } from "./decision.ts";

type Unknown = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

const isWhole = (value: unknown, least: number): boolean =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= least;

const isFlag = (value: unknown): boolean => value === undefined || typeof value === "boolean";

const isText = (value: unknown): boolean => typeof value === "string";

const isKey = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
const areKeys = (value: unknown): boolean => isListOf(value, isKey);

const isReference = (value: unknown): boolean =>
  isObject(value) && isWhole(value.cluster, 0) && areKeys(value.examples);

const isNewCluster = (value: unknown): boolean =>
  isObject(value) && isWhole(value.cluster, 0) && (value.name === undefined || isText(value.name));

const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && areKeys(value) && value[0] !== value[1];

const isLearnedMove = (value: unknown): boolean => isObject(value) && areKeys(value.images) && isReference(value.to);

const isPart = (value: unknown): boolean => isNewCluster(value) && isObject(value) && areKeys(value.images);

/** What each kind must have. */
const checks: Readonly<Record<Action["kind"], (value: Unknown) => boolean>> = {
  rename: ({ of, name }) => isReference(of) && isText(name),
  merge: ({ into, from }) => isReference(into) && isListOf(from, isReference),
  split: ({ of, parts }) => isReference(of) && isListOf(parts, isPart),
  move: ({ images, to, asked }) => areKeys(images) && (isReference(to) || isNewCluster(to)) && isFlag(asked),
  aside: ({ images }) => areKeys(images),
  "take-back": ({ images }) => areKeys(images),
  confirm: ({ images, of, asked }) => areKeys(images) && (of === undefined || isReference(of)) && isFlag(asked),
  same: ({ images }) => isPair(images),
  different: ({ images }) => isPair(images),
  learn: ({ moves, run }) => isListOf(moves, isLearnedMove) && (run === undefined || isText(run)),
};

const isActionKind = (kind: unknown): kind is Action["kind"] => typeof kind === "string" && Object.hasOwn(checks, kind);

export const isAction = (value: unknown): value is Action =>
  isObject(value) && isActionKind(value.kind) && checks[value.kind](value);

export const isDecision = (value: unknown): value is Decision =>
  isObject(value) &&
  isWhole(value.number, 1) &&
  isText(value.at) &&
  (value.conflict === undefined || isText(value.conflict)) &&
  (value.kind === "undo" || value.kind === "redo" ? isWhole(value.decision, 1) : isAction(value));
