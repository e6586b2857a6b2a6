/** Clustering, or what comes after it, in a process of its own, which goes on whether or not a page is open, and ends with the studio. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { reasonOf } from "../../files/errors.ts";
import type { TrainingState } from "../api.ts";
import type { TrainingEvent } from "./progress-events.ts";
import { advanced, begun } from "./training-state.ts";

export interface TrainingOptions {
  /** Node's own options and the program. */
  readonly command: readonly string[];
  /** The name of a command that tells of its progress, and the words after it. */
  readonly args: readonly string[];
  /** Where it is started. Default: here. */
  readonly cwd?: string;
  /** Of epochs that were trained before. Default: none. */
  readonly losses?: TrainingState["losses"];
  readonly onEvent: (event: TrainingEvent) => void;
  readonly onChange: (state: TrainingState) => void;
}

export class Training {
  readonly #child: ChildProcess;
  readonly #options: TrainingOptions;
  readonly #ended: Promise<void>;
  #state: TrainingState;
  /** What the process said last that was no event: why it failed, if it did. */
  #lastWords = "";

  constructor(options: TrainingOptions) {
    const { command, args, cwd, losses = [] } = options;
    this.#options = options;
    this.#state = { ...begun, losses };
    this.#child = spawn(process.execPath, [...command, ...args, "--progress", "json"], {
      // By the channel the process hears when this one ends, however it does.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#ended = this.#follow();
  }

  get state(): TrainingState {
    return this.#state;
  }

  get running(): boolean {
    return this.#state.state === "running" || this.#state.state === "stopping";
  }

  /** What was trained is kept: it can be gone on with. */
  stop(): void {
    if (this.#state.state !== "running") return;
    this.#change({ ...this.#state, state: "stopping" });
    if (this.#child.connected) this.#child.disconnect();
  }

  /** Stops, and waits until the process has ended. */
  async close(): Promise<void> {
    this.stop();
    await this.#ended;
  }

  /** Not by the event "close", which does not come where the channel was closed here. */
  async #follow(): Promise<void> {
    const { stderr } = this.#child;
    if (stderr === null) throw new Error("the process has no standard error");
    const said = once(
      createInterface({ input: stderr }).on("line", (line) => this.#hear(line)),
      "close",
    );
    try {
      const [code] = await once(this.#child, "exit");
      await said;
      this.#end(typeof code === "number" ? code : 1);
    } catch (error) {
      this.#lastWords = reasonOf(error);
      this.#end(1);
    }
  }

  #hear(line: string): void {
    const event = parseEvent(line);
    if (event === undefined) {
      if (line.trim() !== "") this.#lastWords = withoutShell(line);
      return;
    }
    this.#options.onEvent(event);
    this.#change(advanced(this.#state, event));
  }

  #end(code: number): void {
    if (!this.running) return;
    const { state, secondsLeft, ...rest } = this.#state;
    if (code === 0) this.#change({ ...rest, state: "done", done: 1 });
    else if (state === "stopping" || (code === 1 && /^interrupted/.test(this.#lastWords)))
      this.#change({ ...rest, state: "stopped" });
    else this.#change({ ...rest, state: "failed", error: this.#lastWords || `it ended with code ${code}` });
  }

  #change(state: TrainingState): void {
    this.#state = state;
    this.#options.onChange(state);
  }
}

/** The program's name and its flags are nothing that the page has. */
const withoutShell = (line: string): string => line.replace(/^boostcluster: /, "").replace(/ \(--[\w-]+\)$/, "");

/** The process is of this very version: what is JSON with a kind is an event. */
function parseEvent(line: string): TrainingEvent | undefined {
  if (!line.startsWith('{"kind":')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
