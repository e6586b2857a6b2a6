/** Open pages hear of changes by server-sent events. */
import type { Context } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { StudioEvent } from "./api.ts";

/** Beyond so many, the oldest stream is closed; a page that is still there connects again. */
const mostStreams = 64;
/** So often something is sent in any case, in milliseconds: proxies and browsers see that the stream lives. */
const heartbeat = 15_000;

export class EventStreams {
  readonly #streams = new Set<EventStream>();

  /** Tells all open pages. */
  send(event: StudioEvent): void {
    for (const stream of this.#streams) stream.add(event);
  }

  /** A new stream, which begins with `first`. */
  open(context: Context, first: readonly StudioEvent[]): Response {
    return streamSSE(context, async (out) => {
      const stream = new EventStream(out);
      this.#streams.add(stream);
      const [oldest] = this.#streams;
      if (this.#streams.size > mostStreams) this.#close(oldest);
      for (const event of first) stream.add(event);
      try {
        await stream.run();
      } finally {
        this.#close(stream);
      }
    });
  }

  get size(): number {
    return this.#streams.size;
  }

  close(): void {
    for (const stream of this.#streams) this.#close(stream);
  }

  #close(stream: EventStream): void {
    this.#streams.delete(stream);
    stream.close();
  }
}

/** Of events that wait for a slow reader, only the last of each kind counts: they tell how things are. */
class EventStream {
  readonly #out: SSEStreamingApi;
  readonly #waiting = new Map<StudioEvent["kind"], StudioEvent>();
  #open = true;
  #wake: () => void = () => {};

  constructor(out: SSEStreamingApi) {
    this.#out = out;
    out.onAbort(() => this.close());
  }

  add(event: StudioEvent): void {
    this.#waiting.set(event.kind, event);
    this.#wake();
  }

  async run(): Promise<void> {
    while (this.#open) {
      if (this.#waiting.size === 0 && !(await this.#woken())) await this.#out.write(": \n\n");
      const events = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const event of events) if (this.#open) await this.#out.writeSSE({ data: JSON.stringify(event) });
    }
  }

  close(): void {
    this.#open = false;
    this.#wake();
  }

  /** Whether something has happened before the next heartbeat. */
  #woken(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), heartbeat).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
