/**
 * An option is declared once: its type, check, help, group and default. A method has a table of them, from which follow
 * its settings, the shell's options and their help, the documentation, and the command that makes a run again.
 */
import { InputError } from "../files/errors.ts";
import type { Images } from "../images/dataset.ts";
import { createOptimizer, type OptimizerOptions, type OptimizerSettings } from "../network/optimizer.ts";

/** Under which heading help has an option. */
export const optionGroups = {
  run: "Method",
  stageOne: "Stage I, the auto-encoder",
  stageTwo: "Stage II, clustering",
  additions: "What the boosted preset adds to the paper",
  network: "The network",
  machine: "The machine",
} as const;
export type OptionGroup = keyof typeof optionGroups;

/** "boosted": the best clusters that we know how to find. "paper": nothing but what the paper says. */
export const presets = ["boosted", "paper"] as const;
export type Preset = (typeof presets)[number];

/** What a default may follow from. */
export interface Known {
  readonly images: Images;
  /** The value of k, or of an option that comes before this one in the table. */
  number(name: string): number;
  /** The same of a choice; undefined where it has no value. */
  choice(name: string): string | undefined;
  /** Whether the caller gave it, be it in the table or not. */
  isGiven(name: string): boolean;
}

/** A default that depends; `words` is how help tells it. */
export interface Derived<Value> {
  readonly words: string;
  readonly value: (known: Known) => Value | undefined;
}

type Default<Value> = Value | Derived<Value> | undefined;
type ByPreset<Value> = Readonly<Record<Preset, Default<Value>>>;

interface Described<Value> {
  /** A sentence that begins with what the option is about. */
  readonly help: string;
  readonly group: OptionGroup;
  /** One for both presets, or one each. Undefined only where the option is optional: then there is no value. */
  readonly default: Default<Value> | ByPreset<Value>;
  /** It may have no value; the text says what that means. */
  readonly optional?: string;
}

/** A whole number. */
export interface CountOption extends Described<number> {
  readonly kind: "count";
  readonly least: number;
  /** A larger value counts as this one. */
  readonly most?: (images: Images) => number;
}

export interface NumberOption extends Described<number> {
  readonly kind: "number";
  /** It must be over this, and under that. */
  readonly over?: number;
  readonly under?: number;
  /** It may be this, and up to that. */
  readonly from?: number;
  readonly to?: number;
}

export interface ChoiceOption extends Described<string> {
  readonly kind: "choice";
  readonly choices: readonly string[];
}

export interface SwitchOption extends Described<boolean> {
  readonly kind: "switch";
}

/** Several whole numbers. */
export interface CountsOption extends Described<readonly number[]> {
  readonly kind: "counts";
  readonly least: number;
}

export interface OptimizerOption extends Described<OptimizerOptions> {
  readonly kind: "optimizer";
}

export type Option = CountOption | NumberOption | ChoiceOption | SwitchOption | CountsOption | OptimizerOption;
export type OptionTable = Readonly<Record<string, Option>>;

type Given<One> = One extends ChoiceOption
  ? One["choices"][number]
  : One extends SwitchOption
    ? boolean
    : One extends CountsOption
      ? readonly number[]
      : One extends OptimizerOption
        ? OptimizerOptions
        : number;

/** What a caller may give. */
export type OptionsOf<Table extends OptionTable> = { readonly [Name in keyof Table]?: Given<Table[Name]> };

type Setting<One> = One extends OptimizerOption ? OptimizerSettings : Given<One>;
type IsOptional<One> = One extends { readonly optional: string } ? true : false;

/** What it comes to: every option has its value, but for optional ones. */
export type SettingsOf<Table extends OptionTable> = {
  readonly [Name in keyof Table as IsOptional<Table[Name]> extends true ? never : Name]: Setting<Table[Name]>;
} & { readonly [Name in keyof Table as IsOptional<Table[Name]> extends true ? Name : never]?: Setting<Table[Name]> };

/** The options, checked and with their defaults, for so many clusters of these images. */
export function resolveOptions<Table extends OptionTable>(
  table: Table,
  images: Images,
  given: OptionsOf<Table> & { readonly k: number },
): SettingsOf<Table>;
export function resolveOptions(table: OptionTable, images: Images, given: Readonly<Record<string, unknown>>): object {
  const settings: Record<string, unknown> = {};
  const known: Known = {
    images,
    number(name) {
      const value = name === "k" ? given.k : settings[name];
      if (typeof value !== "number") throw new Error(`${name} is no number that is known by now`);
      return value;
    },
    choice: (name) => {
      const value = settings[name];
      return typeof value === "string" ? value : undefined;
    },
    isGiven: (name) => given[name] !== undefined,
  };
  for (const [name, option] of Object.entries(table)) {
    const usual = defaultValue(option, settings.preset, known);
    const value = settingOf(name, option, given[name], usual, images);
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

/** The default of an option by preset; tables without presets have one for all. */
export function defaultOf(option: Option, preset: unknown = presets[0]): Default<unknown> {
  const { default: usual } = option;
  if (!isByPreset(usual)) return usual;
  return preset === "paper" ? usual.paper : usual.boosted;
}

const isByPreset = (value: Option["default"]): value is ByPreset<never> =>
  typeof value === "object" && value !== null && "paper" in value;

export const isDerived = (value: unknown): value is Derived<unknown> =>
  typeof value === "object" && value !== null && "words" in value;

function defaultValue(option: Option, preset: unknown, known: Known): unknown {
  const usual = defaultOf(option, preset);
  return isDerived(usual) ? usual.value(known) : usual;
}

/** Checked, whether given or not: a default that does not hold is found as well. */
function settingOf(name: string, option: Option, given: unknown, usual: unknown, images: Images): unknown {
  const value = given ?? usual;
  if (value === undefined && option.optional !== undefined) return undefined;
  switch (option.kind) {
    case "count": {
      const count = expectCount(name, value, option.least);
      return option.most === undefined ? count : Math.min(count, option.most(images));
    }
    case "number":
      return expectNumber(name, value, option);
    case "choice":
      return expectChoice(name, value, option.choices);
    case "switch":
      return expectSwitch(name, value);
    case "counts":
      return expectCounts(name, value, option.least);
    case "optimizer":
      return optimizerSettings(name, given, usual);
  }
}

export function expectCount(name: string, value: unknown, least: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return value;
  throw new InputError(`${name} must be a whole number from ${least}, not ${value}`, { option: name });
}

function expectNumber(name: string, value: unknown, option: NumberOption): number {
  const { over = Number.NEGATIVE_INFINITY, under = Number.POSITIVE_INFINITY, from = over, to = under } = option;
  if (typeof value === "number" && value > over && value < under && value >= from && value <= to) return value;
  throw new InputError(`${name} must be ${rangeWords(option)}, not ${value}`, { option: name });
}

function rangeWords({ over, under, from, to }: NumberOption): string {
  if (over !== undefined) return under === undefined ? `a number over ${over}` : `between ${over} and ${under}`;
  return to === undefined ? `a number from ${from}` : `from ${from} to ${to}`;
}

function expectChoice(name: string, value: unknown, choices: readonly string[]): string {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new InputError(`there is no ${name} "${value}"; use one of: ${choices.join(", ")}`, { option: name });
}

function expectSwitch(name: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new InputError(`${name} must be true or false, not ${value}`, { option: name });
}

function expectCounts(name: string, value: unknown, least: number): readonly number[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new InputError(`${name} must be a list of whole numbers, not ${value}`, { option: name });
  return value.map((count) => expectCount(name, count, least));
}

/** One that is given by its kind alone has the default's numbers, where the default is of that kind. */
function optimizerSettings(name: string, given: unknown, usual: unknown): OptimizerSettings {
  const [wanted, standard] = [given ?? usual, usual].map((one) => expectOptimizer(name, one));
  return createOptimizer(wanted.kind === standard.kind ? { ...standard, ...wanted } : wanted).settings;
}

function expectOptimizer(name: string, value: unknown): OptimizerOptions {
  if (isOptimizer(value)) return value;
  throw new InputError(`${name} must be { kind: "sgd" } or { kind: "adam" }, with numbers beside it`, { option: name });
}

const isOptimizer = (value: unknown): value is OptimizerOptions =>
  typeof value === "object" && value !== null && "kind" in value && (value.kind === "sgd" || value.kind === "adam");
