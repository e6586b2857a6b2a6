/** What `--help` prints: what a command is for, its options in groups, and examples. */
import type { Command } from "./command.ts";
import type { OptionSpec, OptionSpecs } from "./options.ts";

/** Every command has it; `main.ts` answers it. */
const helpOption = {
  help: { kind: "flag", short: "h", help: "Print this text." },
} as const satisfies OptionSpecs;

const allOption = {
  all: { kind: "flag", help: "Print every option, with --help." },
} as const satisfies OptionSpecs;

/** Whether some of its options are shown only where all are asked for. */
export const hasMore = ({ options }: Pick<Command, "options">): boolean =>
  Object.values(options).some(({ basic = true }) => !basic);

export function helpText(command: Command, { all }: { readonly all: boolean }): string {
  const { name, usage, summary, options, examples } = command;
  const more = hasMore(command);
  const shown = Object.fromEntries(Object.entries(options).filter(([, { basic = true }]) => all || basic));
  const hidden = Object.keys(options).length - Object.keys(shown).length;
  return [
    summary,
    `Usage: boostcluster ${name} ${usage}`.trimEnd(),
    describeGroups({ ...shown, ...helpOption, ...(more ? allOption : {}) }),
    ...(hidden === 0 ? [] : [`There are ${hidden} more: boostcluster ${name} --help --all`]),
    ["Examples:", ...examples.map((example) => `  boostcluster ${example}`)].join("\n"),
  ].join("\n\n");
}

/** Options in groups, in the order in which groups first come up. */
function describeGroups(specs: OptionSpecs): string {
  const groups = new Map<string, [string, OptionSpec][]>();
  for (const [name, spec] of Object.entries(specs)) {
    const { group = "Options" } = spec;
    groups.set(group, [...(groups.get(group) ?? []), [name, spec]]);
  }
  const width = Math.min(widest, Math.max(...Object.entries(specs).map(([name, spec]) => flagText(name, spec).length)));
  return [...groups]
    .map(([title, entries]) => [`${title}:`, ...entries.map(([name, spec]) => describe(name, spec, width))].join("\n"))
    .join("\n\n");
}

/** Columns of flags; a longer one has a line of its own. */
const widest = 30;
const lineWidth = 110;

function describe(name: string, spec: OptionSpec, width: number): string {
  const flag = flagText(name, spec);
  const indent = " ".repeat(width + 2);
  const lines = wrap(sentence(spec), lineWidth - indent.length);
  const first = flag.length > width ? `${flag}\n${indent}${lines[0]}` : flag.padEnd(width + 2) + lines[0];
  return [first, ...lines.slice(1).map((line) => indent + line)].join("\n");
}

/** The help, and the default where there is one. */
export const sentence = ({ help, defaults = "" }: OptionSpec): string =>
  defaults === "" ? help : `${help} Default: ${defaults}.`;

function flagText(name: string, spec: OptionSpec): string {
  const short = spec.short === undefined ? "    " : `-${spec.short}, `;
  return `  ${short}--${name}${valueText(spec)}`;
}

/** What follows the flag. */
export function valueText(spec: OptionSpec): string {
  if (spec.kind === "flag") return "";
  if (spec.kind === "number") return " N";
  return spec.kind === "choice" ? ` ${spec.choices.join("|")}` : ` ${spec.value}`;
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}
