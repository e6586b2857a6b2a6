/**
 * A session in a thread of its own. ONNX Runtime's `run` blocks the thread that calls it for as long as a program runs;
 * with this one, the caller can prepare what comes next meanwhile.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { InputError } from "../files/errors.ts";
import type { Program } from "./program.ts";
import { defaultThreads, type Feeds, type Results, type SessionOptions } from "./session.ts";

/** What the thread is given to begin with. */
export interface Opening {
  readonly program: Program;
  readonly options: SessionOptions;
}

/** What it is sent then: the values to run the program with, or that there are no more. */
export type Request = { readonly feeds: Feeds } | "close";

/** What it says to each, and first of all when the program is compiled. Errors lose their class on the way. */
export type Answer =
  | { readonly results: Results }
  | { readonly failure: unknown; readonly option: string | undefined; readonly isInput: boolean };

/** TypeScript as long as this is, and what became of it otherwise. */
const entry = new URL(`./background-thread${import.meta.url.slice(-3)}`, import.meta.url);

export class BackgroundSession {
  readonly #thread: Worker;
  readonly #ended: Promise<unknown>;

  private constructor(thread: Worker) {
    this.#thread = thread;
    this.#ended = new Promise((resolve) => thread.once("exit", resolve));
  }

  static async open(program: Program, options: SessionOptions = {}): Promise<BackgroundSession> {
    const opening: Opening = { program, options: { threads: defaultThreads(), ...options } };
    const session = new BackgroundSession(new Worker(entry, { workerData: opening }));
    try {
      await session.#answer();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** As `Session.run`, for a program without states. The values move to the thread: their arrays are empty afterwards. */
  run(feeds: Feeds): Promise<Results> {
    const moved = Object.values(feeds).flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
    this.#send({ feeds }, moved);
    return this.#answer();
  }

  /** Frees the runtime's memory, and ends the thread. */
  async close(): Promise<void> {
    this.#send("close");
    await this.#ended;
  }

  #send(request: Request, moved: readonly ArrayBuffer[] = []): void {
    this.#thread.postMessage(request, moved);
  }

  async #answer(): Promise<Results> {
    const [answer]: Answer[] = await once(this.#thread, "message");
    if ("results" in answer) return answer.results;
    const { failure, option, isInput } = answer;
    if (!isInput || !(failure instanceof Error)) throw failure;
    throw new InputError(failure.message, { cause: failure, ...(option === undefined ? {} : { option }) });
  }
}
