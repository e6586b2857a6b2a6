/**
 * `decisions.jsonl` in a run: a log that only grows, and one process at a time that writes to it. A decision is on the
 * disk when `append` returns; what a killed process has half written counts as never said.
 */
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncFolder, writeAll, writeChunksAtomically } from "../../files/atomic.ts";
import { fileError } from "../../files/errors.ts";
import { type Lock, type Refusal, takeLock } from "../../files/lock-file.ts";
import type { RunImagesOptions } from "../run-images.ts";
import { assignmentsHash } from "./assignments-hash.ts";
import { carryDecisions } from "./carry-decisions.ts";
import type { Action, Decision, UndoRedo } from "./decision.ts";
import { decisionsFile, decisionsLock } from "./file-names.ts";
import { decisionLine, headingLine, type LogContent, parseLog } from "./log-lines.ts";
import { type ActionDecision, UndoStack } from "./undo-stack.ts";

export interface OpenLogOptions extends RunImagesOptions {
  /** Whether decisions are to be made; only one process at a time may. Default: false. */
  readonly write?: boolean;
}

/** A decision from elsewhere: when it was made, if that is known, and why it is not possible here, if so. */
export type CarriedAction = Action & Partial<Pick<Decision, "at" | "conflict">>;

export class DecisionLog {
  readonly #path: string;
  readonly #assignments: string;
  readonly #lock: Lock | undefined;
  #decisions: Decision[] = [];
  #stack = new UndoStack();
  /** Bytes of the file that are whole lines. */
  #length = 0;
  #file: number | undefined;

  /** Use `DecisionLog.open`. */
  private constructor(path: string, assignments: string, lock: Lock | undefined) {
    this.#path = path;
    this.#assignments = assignments;
    this.#lock = lock;
  }

  /**
   * Opens the decisions of a run, none if there are none yet. Decisions for what the run was before it was made again are
   * carried over. Throws a LockedError if `write` is asked for while another process decides.
   */
  static async open(run: string, { write = false, ...images }: OpenLogOptions = {}): Promise<DecisionLog> {
    const assignments = assignmentsHash(run);
    const lock = write ? takeLock(join(run, decisionsLock), refusalOf(run)) : undefined;
    const log = new DecisionLog(join(run, decisionsFile), assignments, lock);
    try {
      await log.#read(run, images);
      return log;
    } catch (error) {
      log.close();
      throw error;
    }
  }

  /** All lines, in order; those that were undone are among them. */
  get decisions(): readonly Decision[] {
    return this.#decisions;
  }

  /** What `undo` would take back. */
  get undoable(): ActionDecision | undefined {
    return this.#stack.undoable;
  }

  /** What `redo` would do again. */
  get redoable(): ActionDecision | undefined {
    return this.#stack.redoable;
  }

  append(action: Action): Decision {
    return this.#append(action);
  }

  /** Undefined where there is nothing to undo. */
  undo(): Decision | undefined {
    const { undoable } = this;
    return undoable && this.#append({ kind: "undo", decision: undoable.number });
  }

  /** Undefined where there is nothing to redo. */
  redo(): Decision | undefined {
    const { redoable } = this;
    return redoable && this.#append({ kind: "redo", decision: redoable.number });
  }

  /** All of them or, whatever happens meanwhile, none. */
  appendAll(actions: readonly CarriedAction[]): void {
    this.#expectWritable();
    const at = new Date().toISOString();
    const first = this.#decisions.length + 1;
    this.#rewrite([...this.#decisions, ...actions.map((action, index) => ({ number: first + index, at, ...action }))]);
  }

  /** Lets others write to it. */
  close(): void {
    this.#closeFile();
    this.#lock?.release();
  }

  async #read(run: string, images: RunImagesOptions): Promise<void> {
    const content = readLog(this.#path);
    if (content === undefined) return;
    if (content.assignments === this.#assignments) {
      this.#take(content.decisions);
      this.#length = content.length;
    } else {
      // Loaded late: all that reads images is needed only where a run was made again.
      const { readModelClusters } = await import("./model-clusters.ts");
      const carried = carryDecisions(content.decisions, await readModelClusters(run, images));
      if (this.#lock === undefined) this.#take(carried);
      else this.#rewrite(carried);
    }
  }

  #take(decisions: readonly Decision[]): void {
    this.#decisions = [...decisions];
    this.#stack = new UndoStack();
    for (const decision of decisions) this.#stack.push(decision);
  }

  #append(action: Action | UndoRedo): Decision {
    this.#expectWritable();
    if (this.#length === 0) this.#rewrite([]);
    const decision: Decision = { number: this.#decisions.length + 1, at: new Date().toISOString(), ...action };
    const line = Buffer.from(decisionLine(decision));
    try {
      this.#write(line);
    } catch (error) {
      throw fileError("write", this.#path, error);
    }
    this.#length += line.length;
    this.#decisions.push(decision);
    this.#stack.push(decision);
    return decision;
  }

  /** Whatever is behind the last whole line is overwritten. */
  #write(line: Buffer): void {
    this.#file ??= openSync(this.#path, "a");
    ftruncateSync(this.#file, this.#length);
    writeAll(this.#file, line);
    fsyncSync(this.#file);
  }

  #rewrite(decisions: readonly Decision[]): void {
    this.#closeFile();
    writeChunksAtomically(this.#path, [headingLine(this.#assignments), ...decisions.map(decisionLine)]);
    syncFolder(dirname(this.#path));
    this.#length = statSync(this.#path).size;
    this.#take(decisions);
  }

  #expectWritable(): void {
    if (this.#lock === undefined) throw new Error(`${this.#path} was opened to be read`);
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Undefined where nobody has decided anything. */
function readLog(path: string): LogContent | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return parseLog(path, readFileSync(path));
  } catch (error) {
    throw fileError("read", path, error);
  }
}

const refusalOf =
  (run: string): Refusal =>
  ({ pid, host, started }, here) => ({
    message: `${run}: process ${pid}${here ? "" : ` on ${host}`} has been deciding on this run since ${started}; close it first, or delete ${join(run, decisionsLock)} if it no longer runs`,
  });
