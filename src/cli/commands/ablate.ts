/** `boostcluster ablate`: the paper's studies of DBC, one factor at a time. */
import { join } from "node:path";
import { factorNames, paperFactors, runAblation, type VariantRecord } from "../../benchmark/ablation.ts";
import { expectLabelled } from "../../benchmark/labelled-dataset.ts";
import { InputError } from "../../files/errors.ts";
import { openDataset } from "../../images/sources/open.ts";
import { formatSeconds } from "../../numeric/format.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataOptions, openOptions } from "../data-options.ts";
import { untilInterrupted } from "../interruption.ts";
import { given, type OptionSpecs, type OptionValues, parseOptions } from "../options.ts";
import { displaying, displayOptions } from "../progress.ts";
import type { ProgressDisplay } from "../progress-display.ts";

const options = {
  factor: { kind: "choice", choices: factorNames, help: "Study to run.", defaults: "the paper's three" },
  out: {
    kind: "text",
    value: "DIR",
    help: "Folder where results are kept and found again.",
    defaults: "runs/ablations",
  },
  labels: { kind: "text", value: "folders|FILE", help: "True classes to measure against.", defaults: "the set's own" },
  seed: { kind: "number", help: "Seed of everything random.", defaults: "0" },
  "pretrain-epochs": {
    kind: "number",
    help: "Epochs of the auto-encoder.",
    defaults: "30; for additions, that of the boosted preset",
  },
  epochs: {
    kind: "number",
    help: "T, the most epochs of stage II.",
    defaults: "50; for additions, that of the boosted preset",
  },
  ...dataOptions,
  threads: { kind: "number", help: "Threads to compute with.", defaults: "all cores" },
  json: { kind: "flag", help: "Print JSON." },
  ...displayOptions,
} as const satisfies OptionSpecs;

export const ablateCommand: Command = {
  name: "ablate",
  usage: "[folder|file|name] [options]",
  summary:
    "Study what matters in DBC, as the paper does: boosting, balance, initialization. If interrupted, it continues when called again.",
  examples: ["ablate mnist-test --factor alpha", "ablate usps", "ablate flowers --labels folders --factor balance"],
  options,
  interruptible: true,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  if (positionals.length > 1) throw new InputError("ablate takes one folder, file or name of a set");
  const [source = "mnist-test"] = positionals;
  await displaying(values, (display) => study(source, values, context, display));
}

async function study(
  source: string,
  values: OptionValues<typeof options>,
  context: CommandContext,
  display: ProgressDisplay,
): Promise<void> {
  const out = values.out ?? join("runs", "ablations");
  const dataset = expectLabelled(
    await openDataset(source, { ...openOptions(values), ...given({ labels: values.labels }), signal: context.signal }),
    source,
  );
  const { seed, epochs, threads } = values;
  const dbc = given({ seed, epochs, threads, pretrainEpochs: values["pretrain-epochs"] });
  try {
    const records: VariantRecord[] = [];
    await untilInterrupted(out, context, async () => {
      for (const factor of values.factor === undefined ? paperFactors : [values.factor])
        records.push(
          ...(await runAblation(dataset, factor, {
            out,
            dbc,
            signal: context.signal,
            onProgress: (event) => display.show(event),
            onVariant: (variant, state) => {
              display.end();
              display.line(`${factor}, ${variant}: ${state === "kept" ? "done before" : "begins"}`);
            },
          })),
        );
    });
    display.end();
    context.print(values.json ? JSON.stringify(records) : describe(records, out));
  } finally {
    dataset.close();
  }
}

function describe(records: readonly VariantRecord[], out: string): string {
  const width = Math.max(...records.map(({ variant }) => variant.length)) + 2;
  const lines = records.map(
    ({ factor, variant, metrics, curve, seconds }) =>
      `${factor.padEnd(16)}${variant.padEnd(width)}ACC ${metrics.acc.toFixed(4)}   NMI ${metrics.nmi.toFixed(4)}   ` +
      `${curve.length - 1} epochs, ${formatSeconds(seconds)}`,
  );
  return [...lines, `results and pictures: ${out}`].join("\n");
}
