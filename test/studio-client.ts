/** A studio as a page sees it, for tests. */
import { once } from "node:events";
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from "node:http";
import { createInterface } from "node:readline";
import type { StudioEvent, StudioState } from "../src/studio/api.ts";
import { type RunningStudio, type ServerOptions, startStudio } from "../src/studio/server.ts";
import { subjectOf } from "../src/studio/subject.ts";
import { main, nodeArguments } from "./command-line.ts";

/** What starts the command line. */
export const program = main;
/** The process of the map is TypeScript here. */
export const nodeOptions = nodeArguments([import.meta.resolve("tsx")]);

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly json: () => unknown;
}

export interface AskOptions {
  readonly method?: string;
  /** JSON unless it is text. */
  readonly body?: unknown;
  /** Whether the body comes without its length. Default: false. */
  readonly chunked?: boolean;
  /** In addition to the cookie, or in place of it. */
  readonly headers?: OutgoingHttpHeaders;
}

/** Asks for a path exactly as it is given, which `fetch` would tidy up. */
export async function ask(address: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const { hostname, port } = new URL(address);
  const { body, headers = {}, chunked = false } = options;
  const { method = body === undefined ? "GET" : "POST" } = options;
  const sent = request({
    ...{ hostname, port, path, method, agent: false },
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
  });
  // An answer may come, and the connection end, before everything was sent.
  sent.on("error", () => {});
  sent.on("socket", (socket) => socket.on("error", () => {}));
  if (chunked) sent.flushHeaders();
  sent.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
  const [answer] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  return { status: answer.statusCode, headers: answer.headers, body: whole, json: () => JSON.parse(whole.toString()) };
}

/** The cookie that the address gives. */
export async function cookieOf(address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const { headers } = await ask(address, pathname + search);
  return headers["set-cookie"]?.[0].split(";")[0] ?? "";
}

export class StudioClient {
  readonly address: string;
  readonly cookie: string;

  constructor(address: string, cookie: string) {
    this.address = address;
    this.cookie = cookie;
  }

  static async of(address: string): Promise<StudioClient> {
    return new StudioClient(address, await cookieOf(address));
  }

  ask(path: string, { headers, ...options }: AskOptions = {}): Promise<Answer> {
    return ask(this.address, path, { ...options, headers: { cookie: this.cookie, ...headers } });
  }

  async state(): Promise<StudioState> {
    return stateIn(await this.ask("/api/studio"));
  }

  /** Posts, and expects to be answered with the new state. */
  async post(path: string, body: unknown = {}): Promise<StudioState> {
    return stateIn(await this.ask(path, { body }));
  }

  /** The stream of events, from now on. */
  async listen(): Promise<EventReader> {
    const sent = request(new URL("/api/events", this.address), { headers: { cookie: this.cookie } });
    sent.on("error", () => {});
    sent.end();
    const [answer] = await once(sent, "response");
    return new EventReader(sent, answer);
  }

  async numbers(path: string): Promise<number[]> {
    const { body } = await this.ask(path);
    return [...new Int32Array(new Uint8Array(body).buffer)];
  }
}

export class EventReader {
  readonly #sent: ClientRequest;
  readonly #lines: AsyncIterator<string>;

  constructor(sent: ClientRequest, answer: IncomingMessage) {
    this.#sent = sent;
    this.#lines = createInterface({ input: answer })[Symbol.asyncIterator]();
  }

  /** The next event that is one of those. The first ones tell how things were at the beginning. */
  async next(isOne: (event: StudioEvent) => boolean): Promise<StudioEvent> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error("the stream has ended");
      if (!value.startsWith("data: ")) continue;
      const event: StudioEvent = JSON.parse(value.slice("data: ".length));
      if (isOne(event)) return event;
    }
  }

  close(): void {
    this.#sent.destroy();
  }
}

function stateIn({ status, body }: Answer): StudioState {
  if (status !== 200) throw new Error(`${status}: ${body.toString()}`);
  return JSON.parse(body.toString());
}

/** In this process, on a run or images; `cacheFolder` is where thumbnails go. */
export async function testStudio(
  given: string,
  options: Partial<ServerOptions> & { readonly cacheFolder: string },
): Promise<{ readonly studio: RunningStudio; readonly client: StudioClient }> {
  const studio = await startStudio(subjectOf(given), { program, node: nodeOptions, ...options });
  return { studio, client: await StudioClient.of(studio.address) };
}
