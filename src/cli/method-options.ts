/** The options of all methods as the shell has them, from the methods' own tables. */
import { InputError } from "../files/errors.ts";
import { type MethodName, methodNames, methods } from "../methods/methods.ts";
import { defaultOf, isDerived, type Option, optionGroups, presets } from "../methods/options.ts";
import type { OptimizerOptions } from "../network/optimizer.ts";
import { kebabCase, type OptionSpec, type OptionSpecs, type OptionValues } from "./options.ts";

/** One flag of the shell, for an option of one or more methods. An optimizer has two flags: its kind, and its rate;
 * that of the auto-encoder is always Adam. */
interface MethodFlag {
  readonly flag: string;
  /** The library's name of the option. */
  readonly name: string;
  readonly part: "whole" | "kind" | "learningRate";
  /** By method. */
  readonly options: ReadonlyMap<MethodName, Option>;
}

/** In the order of DBC's table, then of the others'. */
const methodFlags: ReadonlyMap<string, MethodFlag> = collectFlags();

function collectFlags(): ReadonlyMap<string, MethodFlag> {
  const flags = new Map<string, MethodFlag & { readonly options: Map<MethodName, Option> }>();
  for (const method of [...methodNames].reverse())
    for (const [name, option] of Object.entries(methods[method].options))
      for (const { flag, part } of flagsOf(name, option)) {
        const known = flags.get(flag) ?? { flag, name, part, options: new Map() };
        flags.set(flag, known);
        known.options.set(method, option);
      }
  return flags;
}

function flagsOf(name: string, option: Option): readonly Pick<MethodFlag, "flag" | "part">[] {
  const flag = kebabCase(name);
  if (option.kind === "switch") return [{ flag: `no-${flag}`, part: "whole" }];
  if (option.kind !== "optimizer") return [{ flag, part: "whole" }];
  const rate = { flag: flag.replace("optimizer", "learning-rate"), part: "learningRate" } as const;
  return name === "optimizer" ? [{ flag, part: "kind" }, rate] : [rate];
}

/** These are what most people need. */
const basic = new Set(["preset", "seed"]);

/** What `cluster` takes beside its own options. */
export const methodOptionSpecs: OptionSpecs = Object.fromEntries(
  [...methodFlags.values()].sort((a, b) => placeOf(a) - placeOf(b)).map((flag) => [flag.flag, specOf(flag)]),
);

/** Options stand by group. */
function placeOf({ options }: MethodFlag): number {
  const [{ group }] = options.values();
  return Object.keys(optionGroups).indexOf(group);
}

function specOf(flag: MethodFlag): OptionSpec {
  const [option] = flag.options.values();
  const described = {
    help: helpOf(flag, option),
    group: optionGroups[option.group],
    basic: basic.has(flag.flag),
    defaults: defaultsOf(flag),
  };
  if (flag.part === "learningRate") return { kind: "number", ...described };
  switch (option.kind) {
    case "choice":
      return { kind: "choice", choices: allChoices(flag), ...described };
    case "optimizer":
      return { kind: "choice", choices: ["sgd", "adam"], ...described };
    case "switch":
      return { kind: "flag", ...described };
    case "counts":
      return { kind: "text", value: "N,N,…", ...described };
    default:
      return { kind: "number", ...described };
  }
}

/** Of every method that takes it; a method refuses what is not its own. */
function allChoices({ options }: MethodFlag): readonly string[] {
  return [...new Set([...options.values()].flatMap((option) => (option.kind === "choice" ? option.choices : [])))];
}

function helpOf({ part }: MethodFlag, { kind, help }: Option): string {
  if (part === "learningRate") return help.replace("Optimizer", "Learning rate");
  return kind === "switch" ? `No ${help.slice(0, 1).toLowerCase()}${help.slice(1)}` : help;
}

/** "50 (dbc paper, dcn, den); 60 (aec)"; one that all share stands alone. */
function defaultsOf({ options, part }: MethodFlag): string {
  const users = new Map<string, string[]>();
  const add = (user: string, text: string): void => void users.set(text, [...(users.get(text) ?? []), user]);
  for (const [method, option] of options) {
    if (option.kind === "switch") return "";
    const [boosted, paper] = presets.map((preset) => defaultText(defaultOf(option, preset), option, part));
    if (boosted === paper) add(method, boosted);
    else {
      add(`${method} boosted`, boosted);
      add(`${method} paper`, paper);
    }
  }
  const texts = [...users].map(([text, names]) => (users.size === 1 ? text : `${text} (${names.join(", ")})`));
  const others = methodNames.length - options.size;
  const [only] = options.keys();
  return texts.join("; ") + (users.size === 1 && options.size === 1 && others > 0 ? ` (${only} only)` : "");
}

function defaultText(value: unknown, option: Option, part: MethodFlag["part"]): string {
  if (value === undefined) return option.optional ?? "none";
  if (isDerived(value)) return value.words;
  if (option.kind === "optimizer") return String(partOf(value, part));
  return Array.isArray(value) ? value.join(",") : String(value);
}

function partOf(optimizer: unknown, part: MethodFlag["part"]): unknown {
  return Object.entries(optimizer ?? {}).find(([name]) => name === part)?.[1];
}

type Values = OptionValues<OptionSpecs>;

/** Refuses options that the method does not take. */
export function expectTaken(values: Values, method: MethodName): void {
  for (const { flag, options } of methodFlags.values())
    if (isGiven(values[flag]) && !options.has(method)) {
      const takers = methodNames.filter((name) => options.has(name));
      throw new InputError(`--${flag} is for ${takers.join(", ")}; leave it out with ${method}`);
    }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== false;

/** The options of a method by the library's names, those that were given. */
export function methodOptions(values: Values, method: MethodName): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  for (const { flag, name, part, options } of methodFlags.values()) {
    const option = options.get(method);
    const value = values[flag];
    if (option === undefined || !isGiven(value)) continue;
    if (option.kind === "optimizer")
      given[name] = { ...usualOptimizer(option, values.preset), ...asObject(given[name]), [part]: value };
    else given[name] = libraryValue(flag, option, value);
  }
  return given;
}

const asObject = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

/** The kind that a method has, where a rate alone is given. */
function usualOptimizer(option: Option, preset: unknown): { readonly kind: OptimizerOptions["kind"] } {
  return { kind: partOf(defaultOf(option, preset), "kind") === "sgd" ? "sgd" : "adam" };
}

function libraryValue(flag: string, option: Option, value: unknown): unknown {
  if (option.kind === "switch") return false;
  if (option.kind !== "counts") return value;
  const counts = String(value).split(",").map(Number);
  if (counts.some(Number.isNaN)) throw new InputError(`--${flag} takes whole numbers with commas, not "${value}"`);
  return counts;
}

/** A setting of a run as words of the shell; none where there is no option for it. */
export function settingArguments(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  return [...methodFlags.values()]
    .filter((flag) => flag.name === name)
    .flatMap(({ flag, part, options }) => {
      const [option] = options.values();
      if (option.kind === "switch") return value === false ? [`--${flag}`] : [];
      const text = option.kind === "optimizer" ? partOf(value, part) : value;
      return text === undefined ? [] : [`--${flag}`, String(text)];
    });
}

/** The shell's name of a library's option, if it has one. */
export const flagFor = (name: string): string | undefined =>
  [...methodFlags.values()].find((flag) => flag.name === name)?.flag;
