/** `boostcluster methods`: what there is to cluster with, and when to take which. */
import { methodNames, methods } from "../../methods/methods.ts";
import type { Command } from "../command.ts";
import { type OptionSpecs, parseOptions } from "../options.ts";

const options = {
  json: { kind: "flag", help: "Print JSON." },
} as const satisfies OptionSpecs;

export const methodsCommand: Command = {
  name: "methods",
  usage: "[--json]",
  summary: "List the methods: what each does, whose it is, when to use it.",
  examples: ["methods", "methods --json"],
  options,
  interruptible: false,
  run: async (args, { print }) => {
    const { options: values } = parseOptions(args, options);
    const described = methodNames.map(describe);
    print(values.json ? JSON.stringify(described) : described.map(paragraph).join("\n\n"));
  },
};

type Described = ReturnType<typeof describe>;

function describe(name: (typeof methodNames)[number]) {
  const { title, summary, goodFor, reference } = methods[name];
  return { name, title, summary, goodFor, reference };
}

const paragraph = ({ name, title, summary, goodFor, reference }: Described): string =>
  [`${name} (${title}): ${summary}`, `  good for: ${goodFor}`, `  ${reference}`].join("\n");
