/** `boostcluster export`: a run for other programs to look at or to run. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeOnnx, exportOnnx } from "../../export/onnx.ts";
import { openRunImages, type RunContents, readDecidedContents } from "../../export/run-contents.ts";
import { InputError } from "../../files/errors.ts";
import { type RunRecord, readRecord } from "../../runs/run-record.ts";
import type { Command } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { modelOption } from "../model-option.ts";
import { given, type OptionSpecs, type OptionValues, onlyPositional, parseOptions } from "../options.ts";

const options = {
  to: {
    kind: "choice",
    choices: ["projector", "parquet", "onnx"],
    help: "What to write: a folder for TensorBoard, a table with the images in it, or the model by itself.",
  },
  out: {
    kind: "text",
    value: "PATH",
    help: "Where to write it.",
    defaults: "projector, clusters.parquet or clusters.onnx in the run's folder",
  },
  images: { kind: "text", value: "SOURCE", help: "Where the images are, if they have moved." },
  ...modelOption,
  ...folderOptions,
  force: { kind: "flag", help: "Write over what is there." },
} as const satisfies OptionSpecs;

type Values = OptionValues<typeof options>;
type Format = Exclude<Values["to"], undefined>;

export const exportCommand: Command = {
  name: "export",
  usage: "<run> --to projector|parquet|onnx",
  summary: "Write a run for other programs: TensorBoard's projector, Parquet with images, ONNX.",
  examples: [
    "export runs/flowers --to projector",
    "export runs/flowers --to parquet --out flowers.parquet",
    "export runs/flowers --to onnx --out flowers.onnx",
  ],
  options,
  interruptible: true,
  run: async (args, { print, signal }) => {
    const { options: values, positionals } = parseOptions(args, options);
    const run = onlyPositional(positionals, "export takes the folder of one run");
    if (values.to === undefined) throw new InputError(`export needs a format: --to ${options.to.choices.join("|")}`);
    const { name, write } = formats[values.to];
    const record = readRecord(run);
    const out = values.out ?? join(run, name);
    if (existsSync(out) && !values.force)
      throw new InputError(`${out}: it exists already; write over it with --force, or choose another with --out`);
    print(await write({ run, record, out, values, signal }));
  },
};

interface Task {
  readonly run: string;
  readonly record: RunRecord;
  readonly out: string;
  readonly values: Values;
  readonly signal: AbortSignal;
}

interface ExportFormat {
  /** In the run's folder, unless another place is given. */
  readonly name: string;
  /** Returns what to tell the user then. */
  readonly write: (task: Task) => Promise<string>;
}

const formats: Readonly<Record<Format, ExportFormat>> = {
  projector: {
    name: "projector",
    write: async (task) => {
      const { exportProjector } = await import("../../export/projector.ts");
      await withContents(task, (contents) => exportProjector(contents, task.out, task));
      return `written; look at it with: tensorboard --logdir ${task.out}`;
    },
  },
  parquet: {
    name: "clusters.parquet",
    write: async (task) => {
      const { exportParquet } = await import("../../export/parquet.ts");
      await withContents(task, (contents) => exportParquet(contents, task.out, task));
      return `written; look at it with: embedding-atlas ${task.out} --vector features --image image --umap-metric euclidean`;
    },
  },
  onnx: {
    name: "clusters.onnx",
    write: async ({ run, record, out }) => {
      exportOnnx(run, out);
      return describeOnnx(record, out);
    },
  },
};

async function withContents(
  { run, record, values, signal }: Task,
  write: (contents: RunContents) => Promise<void>,
): Promise<void> {
  const { images, "data-folder": dataFolder, "cache-folder": cacheFolder } = values;
  const places = { ...given({ images, dataFolder, cacheFolder }), signal };
  const dataset = await openRunImages(record, places);
  try {
    await write(await readDecidedContents(run, dataset, { ...places, model: values.model }));
  } finally {
    dataset.close();
  }
}
