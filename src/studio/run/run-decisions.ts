/** The decisions of a run: the log on the disk, and in memory what it comes to. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { LockedError } from "../../files/lock-file.ts";
import type { Action, Decision, ImageKey } from "../../runs/decisions/decision.ts";
import { DecisionLog } from "../../runs/decisions/decision-log.ts";
import { describeDecision } from "../../runs/decisions/describe-decision.ts";
import { decisionsFile } from "../../runs/decisions/file-names.ts";
import { type Decided, DecisionFold, type ModelClusters } from "../../runs/decisions/fold-decisions.ts";
import { imageKeys } from "../../runs/decisions/image-keys.ts";
import { type ActionDecision, decisionsThatHold } from "../../runs/decisions/undo-stack.ts";
import type { RunImagesOptions } from "../../runs/run-images.ts";
import { notNow } from "../refusal.ts";
import type { RunTable } from "./run-table.ts";

export interface RunDecisionsOptions extends RunImagesOptions {
  readonly k: number;
  readonly table: RunTable;
}

/** So often somebody who only looks asks whether another process has decided something, in milliseconds. */
const interval = 1000;

/** Decisions that say something of images. */
const lessons: ReadonlySet<Decision["kind"]> = new Set(["move", "confirm", "merge", "split", "same", "different"]);

export class RunDecisions {
  /** Why nothing can be decided here, if so. */
  readonly readOnly: string | undefined;
  readonly #run: string;
  readonly #options: RunDecisionsOptions;
  #log: DecisionLog;
  #keys: readonly ImageKey[] | undefined;
  #timer: NodeJS.Timeout | undefined;
  #fold: DecisionFold;
  #decided: Decided;
  /** Decisions are made one after the other, however many pages ask. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(run: string, options: RunDecisionsOptions, log: DecisionLog, readOnly: string | undefined) {
    this.#run = run;
    this.#options = options;
    this.#log = log;
    this.readOnly = readOnly;
    // Nobody has decided anything yet, as far as this knows: keys, which take long to compute, do not matter.
    this.#fold = this.#modelFold(options.table.items);
    this.#decided = this.#fold.result();
  }

  static async open(run: string, options: RunDecisionsOptions): Promise<RunDecisions> {
    const decisions = await DecisionLog.open(run, { ...imagesOf(options), write: true }).then(
      (log) => new RunDecisions(run, options, log, undefined),
      async (error: unknown) => {
        if (!(error instanceof LockedError)) throw error;
        return new RunDecisions(run, options, await DecisionLog.open(run, imagesOf(options)), error.message);
      },
    );
    if (decisions.#log.decisions.length > 0) await decisions.#foldAgain();
    return decisions;
  }

  get decided(): Decided {
    return this.#decided;
  }

  /** What undo would take back, in words. */
  get undoable(): string | undefined {
    return this.#inWords(this.#log.undoable);
  }

  /** What redo would do again, in words. */
  get redoable(): string | undefined {
    return this.#inWords(this.#log.redoable);
  }

  /** All lines of the log. */
  get decisions(): readonly Decision[] {
    return this.#log.decisions;
  }

  /** Decisions since something was last learned from which more could be. */
  get lessons(): number {
    const held = decisionsThatHold(this.#log.decisions).filter(({ conflict }) => conflict === undefined);
    return held.slice(held.findLastIndex(({ kind }) => kind === "learn") + 1).filter(({ kind }) => lessons.has(kind))
      .length;
  }

  /** What the model says, by the keys of the images. */
  async model(): Promise<ModelClusters> {
    const { k, table } = this.#options;
    return { k, keys: await this.#loadKeys(), assignments: table.clusters };
  }

  /** What could not be applied to this run, in words. */
  get conflicts(): readonly string[] {
    return decisionsThatHold(this.#log.decisions).flatMap((decision) =>
      decision.conflict === undefined ? [] : [`${describeDecision(decision)}: ${decision.conflict}`],
    );
  }

  /** Makes a decision of the keys of the run's images, and of what was decided before; it is on the disk afterwards. */
  decide(make: (keys: readonly ImageKey[], decided: Decided) => Action): Promise<void> {
    return this.#inTurn(async () => {
      const action = make(await this.#loadKeys(), this.#decided);
      this.#log.append(action);
      this.#fold.apply(action);
      this.#decided = this.#fold.result();
    });
  }

  /** False where there is nothing to undo. */
  undo(): Promise<boolean> {
    return this.#inTurn(() => this.#step(() => this.#log.undo()));
  }

  /** False where there is nothing to redo. */
  redo(): Promise<boolean> {
    return this.#inTurn(() => this.#step(() => this.#log.redo()));
  }

  /** So that the first decision need not wait for the keys. */
  async prepare(): Promise<void> {
    await this.#inTurn(() => this.#loadKeys());
  }

  /** Where another process decides: calls when it has. */
  follow(onChange: () => void): void {
    if (this.readOnly === undefined) return;
    // Unknown at first: something may have been decided since the log was read.
    let seen = "";
    this.#timer = setInterval(() => {
      const now = stampOf(join(this.#run, decisionsFile));
      if (now === seen) return;
      seen = now;
      const done = this.#last.then(() => this.#readAgain()).then(onChange);
      // A run that is being made again is shown as it was.
      this.#last = done.catch(() => {});
    }, interval).unref();
  }

  /** After the decision that is being made, if one is. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last.catch(() => {});
    this.#log.close();
  }

  async #step(change: () => object | undefined): Promise<boolean> {
    if (change() === undefined) return false;
    await this.#foldAgain();
    return true;
  }

  async #readAgain(): Promise<void> {
    this.#log = await DecisionLog.open(this.#run, imagesOf(this.#options));
    await this.#foldAgain();
  }

  async #foldAgain(): Promise<void> {
    this.#fold = this.#modelFold(await this.#loadKeys());
    for (const decision of decisionsThatHold(this.#log.decisions))
      if (decision.conflict === undefined) this.#fold.apply(decision);
    this.#decided = this.#fold.result();
  }

  /** The first time, everything is folded again on the true keys. */
  async #loadKeys(): Promise<readonly ImageKey[]> {
    if (this.#keys !== undefined) return this.#keys;
    this.#keys = await imageKeys(this.#run, imagesOf(this.#options));
    this.#fold = this.#modelFold(this.#keys);
    return this.#keys;
  }

  #modelFold(keys: readonly ImageKey[]): DecisionFold {
    const { k, table } = this.#options;
    return new DecisionFold({ k, keys, assignments: table.clusters });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.readOnly !== undefined) return Promise.reject(notNow(this.readOnly));
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }

  #inWords(decision: ActionDecision | undefined): string | undefined {
    return decision && describeDecision(decision, (cluster) => this.#fold.nameOf(cluster));
  }
}

const imagesOf = ({ k, table, ...images }: RunDecisionsOptions): RunImagesOptions => images;

/** Another one whenever a file has changed. */
function stampOf(path: string): string {
  const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${size} ${mtimeMs}`;
}
