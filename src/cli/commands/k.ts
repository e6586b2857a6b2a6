/** `boostcluster k`: how many clusters the images have, and what speaks for it. */

import { basename, resolve } from "node:path";
import { type CountEvidence, likelyCounts } from "../../clustering/cluster-count.ts";
import { devices } from "../../engine/device.ts";
import { countEvidenceFigure } from "../../figures/count-evidence.ts";
import { writeFileAtomically } from "../../files/atomic.ts";
import { InterruptedError } from "../../files/errors.ts";
import { quoted } from "../../files/shell-word.ts";
import { withoutLabels } from "../../images/dataset.ts";
import { distinctImages } from "../../images/duplicates/stacks.ts";
import { type Estimate, estimateK } from "../../methods/dbc/estimate-k.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataOptions } from "../data-options.ts";
import { duplicatesOption, stacksIn } from "../duplicates.ts";
import { noClearAnswer } from "../number-of-clusters.ts";
import { given, type OptionSpecs, type OptionValues, onlyPositional, parseOptions } from "../options.ts";
import { displaying, displayOptions } from "../progress.ts";
import type { ProgressDisplay } from "../progress-display.ts";
import { openPictures, seenBy, vectorArguments, vectorOptions } from "../vectors.ts";

const options = {
  most: {
    kind: "number",
    help: "Largest number of clusters to consider.",
    defaults: "one for every 20 images, at most 200",
  },
  out: { kind: "text", value: "FILE.svg", help: "File to draw the evidence for each k in.", defaults: "nowhere" },
  "pretrain-epochs": { kind: "number", help: "Epochs of the auto-encoder.", defaults: "those of cluster" },
  seed: { kind: "number", help: "Seed of everything random: the same seed gives the same answer.", defaults: "0" },
  threads: { kind: "number", help: "Threads to compute with.", defaults: "all cores" },
  device: { kind: "choice", choices: devices, help: "Device to compute on.", defaults: "cpu" },
  ...vectorOptions,
  ...dataOptions,
  ...duplicatesOption,
  json: { kind: "flag", help: "Print one JSON object." },
  ...displayOptions,
} as const satisfies OptionSpecs;

export const kCommand: Command = {
  name: "k",
  usage: "<folder|file|name> [options]",
  summary: "Estimate how many clusters there are, and show what speaks for it.",
  examples: ["k holiday-photos", "k mnist-test --out curve.svg"],
  options,
  interruptible: true,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const source =
    positionals.length === 0 && values.features !== undefined
      ? undefined
      : onlyPositional(positionals, "k takes one folder, file or name of a set");
  await displaying(values, (display) => estimate(source, values, context, display));
}

async function estimate(
  source: string | undefined,
  values: OptionValues<typeof options>,
  context: CommandContext,
  display: ProgressDisplay,
): Promise<void> {
  const { signal, print } = context;
  const pictures = await openPictures(source, { ...values, labels: "none" }, context, display);
  let last = pictures;
  try {
    const stacks = await stacksIn(pictures, values, context, display);
    const { dataset } = await seenBy(pictures, values, { automatic: true }, context, display);
    last = dataset;
    const distinct = distinctImages(dataset, stacks ?? []);
    const { most, seed, threads, device } = values;
    const wanted = given({ most, seed, threads, device, pretrainEpochs: values["pretrain-epochs"] });
    const found = await estimateK(withoutLabels(distinct), {
      ...wanted,
      signal,
      onProgress: (event) => display.show(event),
    });
    display.end();
    print(
      values.json
        ? JSON.stringify(found)
        : describeEstimate(found, [...(source === undefined ? [] : [source]), ...vectorArguments(values)]),
    );
    if (values.out !== undefined && found.evidence.length > 0)
      writeFileAtomically(
        values.out,
        countEvidenceFigure({ ...found, title: basename(resolve(source ?? pictures.name)) }),
      );
  } catch (error) {
    throw signal.aborted ? new InterruptedError("interrupted; nothing was written") : error;
  } finally {
    // Vectors close their pictures as well.
    last.close();
  }
}

/** `words`: what `cluster` needs to see the same. */
function describeEstimate({ k, evidence }: Estimate, words: readonly string[]): string {
  return [
    ...bars(evidence, k),
    "",
    ...(k === undefined
      ? [`${noClearAnswer(evidence)}; choose by what you know of the images`]
      : [
          `${k} clusters: no finer ones are as far apart`,
          `next: boostcluster cluster ${words.map(quoted).join(" ")} -k ${k}`,
        ]),
  ].join("\n");
}

/** Columns of a bar. */
const barWidth = 40;
/** So many rows beyond the last that matters. */
const beyond = 5;

/** A row for each number of clusters, up to a few more than the likely ones. */
function bars(evidence: readonly CountEvidence[], k: number | undefined): string[] {
  const last = Math.max(k ?? 0, ...likelyCounts(evidence)) + beyond;
  const widest = Math.max(...evidence.map(({ gap }) => gap));
  const row = ({ k: count, gap }: CountEvidence): string => {
    const bar = "#".repeat(Math.max(0, Math.round((barWidth * gap) / widest)));
    return `${String(count).padStart(4)}  ${gap.toFixed(2).padStart(6)}  ${bar}${count === k ? "  <" : ""}`;
  };
  return [
    " k     gap  (how much weaker links between clusters are)",
    ...evidence.filter(({ k }) => k <= last).map(row),
  ];
}
