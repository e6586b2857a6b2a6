/** What the studio shows and does, without a word of HTTP: images, then their clustering, then the run. */
import { randomUUID } from "node:crypto";
import { listBackbones } from "../backbones/install.ts";
import { reasonOf } from "../files/errors.ts";
import type {
  ImageDetails,
  ImageFacts,
  OrganizePreview,
  OrganizeRequest,
  OrganizeResult,
  StudioEvent,
  StudioState,
  TrainingRequest,
  TrainingState,
} from "./api.ts";
import { Learning } from "./learning/learning.ts";
import { type Opened, openSubject, type StudioOptions, type Work } from "./open-subject.ts";
import { folderPictures, type Pictures } from "./pictures/pictures.ts";
import type { Thumbnails } from "./pictures/thumbnails.ts";
import { placeArguments } from "./places.ts";
import { notNow } from "./refusal.ts";
import { StudioRun } from "./run/studio-run.ts";
import type { Subject } from "./subject.ts";
import type { TrainingEvent } from "./training/progress-events.ts";
import { Training } from "./training/training.ts";
import { continuingArguments, newRunFolder, trainingArguments } from "./training/training-arguments.ts";

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
  #learning: Learning | undefined;
  #revision = 1;
  #picturesId = randomUUID();

  private constructor(opened: Opened, options: StudioOptions) {
    this.#options = options;
    this.#node = options.node ?? process.execArgv;
    this.#source = opened.source;
    this.#pictures = opened.pictures;
    this.#thumbnails = opened.thumbnails;
    this.#pixelated = opened.pixelated;
    this.#run = opened.run;
    this.#learning = opened.run && this.#learningOf(opened.run);
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
      pictures: this.#picturesId,
      pixelated: this.#pixelated,
      organizable: this.#run !== undefined && this.#pictures.folder !== undefined,
      ...(this.#run?.state() ?? { clusters: [], aside: 0, confirmed: 0, moved: 0, lessons: 0, conflicts: [] }),
      ...this.#learningState(),
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

  async organizePreview(request: OrganizeRequest): Promise<OrganizePreview> {
    return this.run.organizePreview(request, this.#organizable());
  }

  /** Originals that were moved are still shown, from where they are then. */
  async organize(request: OrganizeRequest): Promise<OrganizeResult> {
    return this.run.organize(request, this.#organizable());
  }

  /** Throws where there is no run yet. */
  get learning(): Learning {
    if (this.#learning === undefined) throw notNow("the images are not clustered yet");
    return this.#learning;
  }

  /** Begins to learn, stops, or has done with what was learned; all pages hear of it. */
  async learn(change: (learning: Learning) => Promise<void> | void): Promise<StudioState> {
    await change(this.learning);
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
    return this.#train(work, continuingArguments(work.args, work.out), this.#trainingState()?.losses);
  }

  stopTraining(): StudioState {
    if (!this.#training?.running) throw notNow("clustering is not under way");
    this.#training.stop();
    return this.state();
  }

  /** What takes time and nobody waits for yet. */
  async workIdly(): Promise<void> {
    this.#run?.follow(() => this.#changed());
    await this.#run?.prepare().catch((error: unknown) => this.#options.say?.(reasonOf(error)));
    await this.#learning?.open().catch((error: unknown) => this.#options.say?.(reasonOf(error)));
    await this.#thumbnails.makeAll();
  }

  async close(): Promise<void> {
    await this.#training?.close();
    await this.#learning?.close();
    await this.#run?.close();
    await this.#thumbnails.close();
    this.#pictures.close();
  }

  #organizable(): string {
    const { folder } = this.#pictures;
    if (folder === undefined) throw notNow("only images that are files can be put into folders");
    return folder;
  }

  #trainingState(): TrainingState | undefined {
    return this.#training?.state ?? this.#work?.before;
  }

  #learningState(): Pick<StudioState, "learning" | "learned"> {
    const { progress, count } = this.#learning ?? {};
    return {
      ...(progress === undefined ? {} : { learning: progress }),
      ...(count === undefined ? {} : { learned: count }),
    };
  }

  #learningOf(run: StudioRun): Learning {
    return new Learning(run, {
      command: [...this.#node, this.#options.program],
      places: placeArguments(this.#options),
      onProgress: (learning) => this.#tell({ kind: "learning", learning }),
      onChange: () => this.#changed(),
    });
  }

  #train(work: Work, args: readonly string[], losses: TrainingState["losses"] = []): StudioState {
    this.#work = work;
    this.#training = new Training({
      command: [...this.#node, this.#options.program],
      args: ["cluster", ...args],
      cwd: work.cwd,
      losses,
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
    this.#learning = this.#learningOf(run);
    this.#changed();
    await this.workIdly();
  }

  #show(pictures: Pictures): void {
    this.#pictures = pictures;
    this.#picturesId = randomUUID();
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
