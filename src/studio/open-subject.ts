/** Opens what a studio is started on. */
import { resolve } from "node:path";
import { InputError } from "../files/errors.ts";
import { historyFromNote } from "../runs/fitted.ts";
import { notedCommand } from "../runs/noted-command.ts";
import { lastCheckpoint } from "../runs/run-checkpoints.ts";
import type { RunImagesOptions } from "../runs/run-images.ts";
import type { TrainingState } from "./api.ts";
import { openPictures, openRunPictures } from "./pictures/open-pictures.ts";
import type { Pictures } from "./pictures/pictures.ts";
import { Thumbnails } from "./pictures/thumbnails.ts";
import { StudioRun } from "./run/studio-run.ts";
import type { Subject } from "./subject.ts";
import { interrupted } from "./training/training-state.ts";

export interface StudioOptions extends Pick<RunImagesOptions, "images" | "dataFolder" | "cacheFolder"> {
  /** The program `boostcluster`, as Node starts it. */
  readonly program: string;
  /** Options of Node for processes that are started. Default: those of this process. */
  readonly node?: readonly string[];
  /** Where new runs go. Default: "runs". */
  readonly runs?: string;
  /** What the person at the terminal should know. */
  readonly say?: (text: string) => void;
}

/** How a run is made, or was until it was interrupted. */
export interface Work {
  readonly out: string;
  readonly args: readonly string[];
  /** Where relative paths begin. */
  readonly cwd: string;
  /** How far it was when somebody stopped it, before this studio was opened. */
  readonly before?: TrainingState;
}

/** What a studio begins with. */
export interface Opened {
  readonly source: string;
  readonly pictures: Pictures;
  readonly thumbnails: Thumbnails;
  readonly pixelated: boolean;
  readonly run?: StudioRun;
  readonly work?: Work;
}

export async function openSubject(subject: Subject, options: StudioOptions): Promise<Opened> {
  if (subject.kind === "images")
    return withThumbnails(subject.source, await openPictures(subject.source, options), options);
  return subject.kind === "run" ? openRun(subject.folder, options) : openInterrupted(subject.folder, options);
}

async function openRun(folder: string, options: StudioOptions): Promise<Opened> {
  const run = await StudioRun.open(folder, { ...options, node: options.node ?? process.execArgv });
  const pictures = await openRunPictures(run.record, run.table.items, options);
  const source = options.images ?? String(run.record.settings.source);
  const { readOnly } = run.state();
  if (readOnly !== undefined) options.say?.(`read-only: ${readOnly}`);
  return { ...(await withThumbnails(source, pictures, options)), run };
}

async function openInterrupted(folder: string, options: StudioOptions): Promise<Opened> {
  const checkpoint = lastCheckpoint(folder);
  const command = checkpoint && notedCommand(checkpoint);
  if (command === undefined)
    throw new InputError(
      `${folder}: this interrupted run does not say how it began; go on with "boostcluster cluster … --resume"`,
    );
  const source = options.images ?? command.source;
  const before = interrupted(historyFromNote(checkpoint?.notes.history));
  const work = { out: resolve(folder), args: command.args, cwd: command.folder, before };
  return { ...(await withThumbnails(source, await openPictures(source, options), options)), work };
}

async function withThumbnails(source: string, pictures: Pictures, options: StudioOptions): Promise<Opened> {
  const { cacheFolder } = options;
  const thumbnails = await Thumbnails.open(source, pictures, { cacheFolder });
  // An image that cannot be read is shown as a gap; it does not keep the others from being shown.
  return { source, pictures, thumbnails, pixelated: await pictures.pixelated().catch(() => false) };
}
