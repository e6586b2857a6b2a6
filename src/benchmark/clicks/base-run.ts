/** The runs that people are asked about: clusters as `boostcluster cluster` finds them by default, kept and used again. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../files/errors.ts";
import type { Images } from "../../images/dataset.ts";
import { fitDbc } from "../../methods/dbc/dbc.ts";
import type { Learned } from "../../methods/dbc/learned.ts";
import { type DbcOptions, dbcSettings } from "../../methods/dbc/options.ts";
import type { MethodOptions } from "../../methods/method.ts";
import type { ModelClusters } from "../../runs/decisions/fold-decisions.ts";
import type { Settings } from "../../runs/fitted.ts";
import { runCheckpoints } from "../../runs/run-checkpoints.ts";
import { type LoadedRun, loadRun, readAssignments, saveRun } from "../../runs/run-folder.ts";
import { recordPath } from "../../runs/run-record.ts";
import { timedCheckpoints } from "../../runs/timed-checkpoints.ts";
import { changedSettings } from "../settings.ts";

export interface BaseRun {
  readonly learned: Learned;
  /** Its clusters, with images known by their numbers. */
  readonly model: ModelClusters & { readonly assignments: Int32Array };
  /** Of each image, in the model's cluster. */
  readonly scores: Float32Array;
  /** All that decided it, and the number of threads. */
  readonly settings: Settings;
}

export interface BaseRunOptions extends Pick<MethodOptions, "signal" | "onProgress"> {
  /** The folder of the run. */
  readonly folder: string;
  /** Where there is no run yet, how it is made. */
  readonly dbc: DbcOptions;
}

/** The run in the folder; where there is none it is made, from its checkpoint if there is one. */
export async function baseRun(images: Images, options: BaseRunOptions): Promise<BaseRun> {
  const { folder, dbc } = options;
  const wanted = dbcSettings(images, dbc);
  if (!existsSync(recordPath(folder))) await makeRun(images, wanted, options);
  const run = loadRun(folder);
  expectWanted(run, images, wanted);
  const rows = readAssignments(folder);
  const { k, settings } = run.record;
  return {
    learned: { ...run.record, ...run },
    model: {
      k,
      keys: rows.map((_, image) => String(image)),
      assignments: Int32Array.from(rows, ({ cluster }) => cluster),
    },
    scores: Float32Array.from(rows, ({ score }) => score),
    settings: Object.fromEntries(Object.keys(wanted).map((name) => [name, settings[name]])),
  };
}

async function makeRun(
  images: Images,
  settings: Settings,
  { folder, dbc, signal, onProgress }: BaseRunOptions,
): Promise<void> {
  const checkpoints = timedCheckpoints(runCheckpoints(folder, { dataset: images.fingerprint, ...settings }), () =>
    performance.now(),
  );
  const fitted = await fitDbc(images, {
    ...dbc,
    checkpoints,
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  saveRun(folder, fitted, { ...images, labels: undefined }, { seconds: { clustering: checkpoints.seconds() } });
  rmSync(join(folder, "checkpoint.safetensors"), { force: true });
}

/** Answers about other runs cannot be compared. */
function expectWanted({ folder, record }: LoadedRun, { fingerprint }: Images, wanted: Settings): void {
  const [name] = record.dataset.fingerprint === fingerprint ? changedSettings(record.settings, wanted) : ["images"];
  if (name !== undefined)
    throw new InputError(`${folder}: this run was made with other ${name}; delete it, or set out to another folder`, {
      option: "out",
    });
}
