/** Options of a command, declared once: parsed strictly, checked, and listed by `--help`. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { InputError } from "../files/errors.ts";

interface Described {
  /** A sentence that begins with what the option is about. */
  readonly help: string;
  /** What holds where it is not given. */
  readonly defaults?: string;
  /** One letter. */
  readonly short?: string;
  /** The heading that help has it under. Default: the command's own. */
  readonly group?: string;
  /** Whether help has it even where not everything is asked for. Default: true. */
  readonly basic?: boolean;
}

export type OptionSpec =
  | (Described & { readonly kind: "flag" })
  | (Described & { readonly kind: "text"; readonly value: string })
  | (Described & { readonly kind: "number" })
  | (Described & { readonly kind: "choice"; readonly choices: readonly string[] });

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type ValueOf<Spec> = Spec extends { kind: "flag" }
  ? boolean
  : Spec extends { kind: "number" }
    ? number | undefined
    : Spec extends { kind: "choice"; choices: readonly (infer Choice)[] }
      ? Choice | undefined
      : string | undefined;

export type OptionValues<Specs extends OptionSpecs> = { readonly [Name in keyof Specs]: ValueOf<Specs[Name]> };

export interface Parsed<Specs extends OptionSpecs> {
  readonly options: OptionValues<Specs>;
  readonly positionals: readonly string[];
}

export function parseOptions<const Specs extends OptionSpecs>(args: readonly string[], specs: Specs): Parsed<Specs>;
export function parseOptions(args: readonly string[], specs: OptionSpecs): Parsed<OptionSpecs> {
  const { values, positionals } = parseStrictly(args, specs);
  const options = Object.entries(specs).map(([name, spec]) => [name, convert(name, spec, values[name])] as const);
  return { options: Object.fromEntries(options), positionals };
}

interface RawArguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function parseStrictly(args: readonly string[], specs: OptionSpecs): RawArguments {
  const config: ParseArgsConfig["options"] = {};
  for (const [name, { kind, short }] of Object.entries(specs))
    config[name] = { type: kind === "flag" ? "boolean" : "string", ...(short === undefined ? {} : { short }) };
  try {
    return parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    const [message] = String(error instanceof Error ? error.message : error).split(/\. |\n/);
    throw new InputError(`${message}; --help lists the options`);
  }
}

function convert(name: string, spec: OptionSpec, value: unknown): boolean | number | string | undefined {
  if (spec.kind === "flag") return value === true;
  if (typeof value !== "string") return undefined;
  if (spec.kind === "number") {
    const number = Number(value);
    if (value.trim() === "" || Number.isNaN(number)) throw new InputError(`--${name} takes a number, not "${value}"`);
    return number;
  }
  if (spec.kind === "choice" && !spec.choices.includes(value))
    throw new InputError(`--${name} takes ${spec.choices.join(" | ")}, not "${value}"`);
  return value;
}

/** The one positional that there must be. */
export function onlyPositional(positionals: readonly string[], rule: string): string {
  const [only] = positionals;
  if (only === undefined || positionals.length > 1) throw new InputError(`${rule}; --help has examples`);
  return only;
}

/** networkSide → network-side */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Without the entries that are undefined, so that defaults apply where they are defined. */
export function given<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> };
export function given(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
