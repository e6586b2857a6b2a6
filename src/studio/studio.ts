/** What the studio shows and does, without a word of HTTP: images, then their clustering, then the run. */
import { resolve } from "node:path";
import { listBackbones } from "../backbones/install.ts";
import { InputError, reasonOf } from "../files/errors.ts";
import { notedCommand } from "../runs/noted-command.ts";
import { lastCheckpoint } from "../runs/run-checkpoints.ts";
import type { RunImagesOptions } from "../runs/run-images.ts";
import type { ImageDetails, ImageFacts, StudioEvent, StudioState, TrainingRequest, TrainingState } from "./api.ts";
import { openPictures, openRunPictures } from "./pictures/open-pictures.ts";
import { folderPictures, type Pictures } from "./pictures/pictures.ts";
import { Thumbnails } from "./pictures/thumbnails.ts";
import { notNow } from "./refusal.ts";
import { StudioRun } from "./run/studio-run.ts";
import type { Subject } from "./subject.ts";
import type { TrainingEvent } from "./training/progress-events.ts";
import { Training } from "./training/training.ts";
import { continuingArguments, newRunFolder, trainingArguments } from "./training/training-arguments.ts";
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
interface Work {
  readonly out: string;
  readonly args: readonly string[];
  /** Where relative paths begin. */
  readonly cwd: string;
}

const largestPicture = 1600;

export class Studio {
  readonly #options: StudioOptions;
  readonly #node: readonly string[];
  readonly #source: string;
  readonly #thumbnails: Thumbnails;
  readonly #pixelated: boolean;
  readonly #listeners = new Set<(event: StudioEvent) => void>();
  #pictures: Pictures;
  #run: StudioRun | undefined;
  #work: Work | undefined;
  #training: Training | undefined;
  #revision = 1;

  private constructor(opened: Opened, options: StudioOptions) {
    this.#options = options;
    this.#node = options.node ?? process.execArgv;
    this.#source = opened.source;
    this.#pictures = opened.pictures;
    this.#thumbnails = opened.thumbnails;
    this.#pixelated = opened.pixelated;
    this.#run = opened.run;
    this.#work = opened.work;
  }

  static async open(subject: Subject, options: StudioOptions): Promise<Studio> {
    return new Studio(await openSubject(subject, options), options);
  }

  state(): StudioState {
    const training = this.#run === undefined ? this.#trainingState() : undefined;
    return {
      revision: this.#revision,
      title: this.#source.split(/[\\/]/).filter(Boolean).at(-1) ?? this.#source,
      phase: this.#run !== undefined ? "run" : training !== undefined ? "training" : "images",
      count: this.#pictures.count,
      pixelated: this.#pixelated,
      organizable: this.#run !== undefined && this.#pictures.folder !== undefined,
      ...(this.#run?.state() ?? { clusters: [], aside: 0, confirmed: 0, moved: 0, conflicts: [] }),
      ...(this.#run === undefined ? { backbones: this.backbones() } : {}),
      ...(training === undefined ? {} : { training }),
    };
  }

  /** Those that were added. */
  backbones(): readonly string[] {
    const { cacheFolder } = this.#options;
    return listBackbones(cacheFolder === undefined ? {} : { cacheFolder }).flatMap(({ name, folder }) =>
      folder === undefined ? [] : [name],
    );
  }

  /** Calls with everything that happens; returns what ends that. */
  listen(listener: (event: StudioEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get count(): number {
    return this.#pictures.count;
  }

  /** Throws where there is no run yet. */
  get run(): StudioRun {
    if (this.#run === undefined) throw notNow("the images are not clustered yet");
    return this.#run;
  }

  facts(image: number): ImageFacts {
    return { ...this.run.facts(image), name: this.#pictures.nameOf(image) };
  }

  async details(image: number): Promise<ImageDetails> {
    // An image that is gone has no size, and everything else.
    const size = await this.#pictures.sizeOf(image).catch(() => undefined);
    return { ...this.run.details(image, size), name: this.#pictures.nameOf(image) };
  }

  thumbnail(image: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#thumbnails.get(image);
  }

  picture(image: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#pictures.encode(image, largestPicture);
  }

  /** Changes the run; all pages hear of it. */
  async change(make: (run: StudioRun) => Promise<void>): Promise<StudioState> {
    await make(this.run);
    return this.#changed();
  }

  startTraining(request: TrainingRequest): StudioState {
    if (this.#run !== undefined) throw notNow("these images are clustered already");
    if (this.#training?.running) throw notNow("clustering is under way");
    const { runs = "runs", dataFolder, cacheFolder } = this.#options;
    const out = newRunFolder(this.#source, runs);
    const args = trainingArguments(request, { source: this.#source, out, dataFolder, cacheFolder });
    return this.#train({ out, args, cwd: process.cwd() }, args);
  }

  continueTraining(): StudioState {
    const work = this.#work;
    if (work === undefined || this.#run !== undefined) throw notNow("there is nothing to go on with");
    if (this.#training?.running) throw notNow("clustering is under way");
    return this.#train(work, continuingArguments(work.args, work.out));
  }

  stopTraining(): StudioState {
    if (!this.#training?.running) throw notNow("clustering is not under way");
    this.#training.stop();
    return this.state();
  }

  /** What takes time and nobody waits for yet. */
  async workIdly(): Promise<void> {
    await this.#run?.prepare().catch((error: unknown) => this.#options.say?.(reasonOf(error)));
    await this.#thumbnails.makeAll();
  }

  async close(): Promise<void> {
    await this.#training?.close();
    await this.#run?.close();
    await this.#thumbnails.close();
    this.#pictures.close();
  }

  #trainingState(): TrainingState | undefined {
    return this.#training?.state ?? (this.#work === undefined ? undefined : interrupted);
  }

  #train(work: Work, args: readonly string[]): StudioState {
    this.#work = work;
    this.#training = new Training({
      command: [...this.#node, this.#options.program],
      args,
      cwd: work.cwd,
      onEvent: (event) => this.#hear(event),
      onChange: (training) => this.#tellTraining(training),
    });
    return this.#changed();
  }

  /** The process may leave out files that it cannot read, and then counts without them. */
  #hear(event: TrainingEvent): void {
    const { folder } = this.#pictures;
    if (event.kind !== "images" || folder === undefined || event.count === this.#pictures.count) return;
    const skipped = new Set(event.skipped);
    const names = Array.from({ length: this.#pictures.count }, (_, image) => this.#pictures.nameOf(image));
    this.#show(
      folderPictures(
        folder,
        names.filter((name) => !skipped.has(name)),
      ),
    );
    this.#changed();
  }

  #tellTraining(training: TrainingState): void {
    this.#tell({ kind: "training", training });
    if (training.state === "done") void this.#openRun().catch((error: unknown) => this.#options.say?.(reasonOf(error)));
    else if (training.state !== "running") this.#changed();
  }

  /** From now on this is a studio of the run that was made. */
  async #openRun(): Promise<void> {
    if (this.#work === undefined) return;
    const run = await StudioRun.open(this.#work.out, { ...this.#options, node: this.#node });
    if (this.#pictures.folder !== undefined) this.#show(folderPictures(this.#pictures.folder, run.table.items));
    this.#run = run;
    this.#changed();
    await this.workIdly();
  }

  #show(pictures: Pictures): void {
    this.#pictures = pictures;
    this.#thumbnails.show(pictures);
  }

  #changed(): StudioState {
    this.#revision++;
    this.#tell({ kind: "state", revision: this.#revision });
    return this.state();
  }

  #tell(event: StudioEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** What a studio begins with. */
interface Opened {
  readonly source: string;
  readonly pictures: Pictures;
  readonly thumbnails: Thumbnails;
  readonly pixelated: boolean;
  readonly run?: StudioRun;
  readonly work?: Work;
}

async function openSubject(subject: Subject, options: StudioOptions): Promise<Opened> {
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
  const work = { out: resolve(folder), args: command.args, cwd: command.folder };
  return { ...(await withThumbnails(source, await openPictures(source, options), options)), work };
}

async function withThumbnails(source: string, pictures: Pictures, options: StudioOptions): Promise<Opened> {
  const { cacheFolder } = options;
  const thumbnails = await Thumbnails.open(source, pictures, { cacheFolder });
  // An image that cannot be read is shown as a gap; it does not keep the others from being shown.
  return { source, pictures, thumbnails, pixelated: await pictures.pixelated().catch(() => false) };
}
