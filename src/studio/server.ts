/** The studio on a port of this machine. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import { getRequestListener } from "@hono/node-server";
import { codeOf, InputError, reasonOf } from "../files/errors.ts";
import { studioApp } from "./app.ts";
import { EventStreams } from "./event-streams.ts";
import type { StudioOptions } from "./open-subject.ts";
import { builtPage, readStaticFiles } from "./static-files.ts";
import { Studio } from "./studio.ts";
import type { Subject } from "./subject.ts";

export interface ServerOptions extends StudioOptions {
  /** Default: any that is free. */
  readonly port?: number | undefined;
  /** The address of this machine to listen at. Default: 127.0.0.1, which no other machine can reach. */
  readonly host?: string | undefined;
  /** The folder of the built page. Default: where the build puts it. */
  readonly page?: string | undefined;
}

export interface RunningStudio {
  /** With the token. */
  readonly address: string;
  /** Stops everything, and waits until what was trained is saved. */
  close(): Promise<void>;
}

/** Requests that come too slowly, or say too much before they begin, are broken off. Times are in milliseconds. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16_384,
};
const mostConnections = 1024;
/** Milliseconds in which the first page is asked for; what nobody waits for comes after it. */
const untilIdle = 500;

export async function startStudio(subject: Subject, options: ServerOptions): Promise<RunningStudio> {
  const { port = 0, host = "127.0.0.1", page = builtPage(), say = () => {}, ...rest } = options;
  const studio = await Studio.open(subject, { ...rest, say });
  try {
    const streams = new EventStreams();
    const server = createServer(limits);
    server.maxConnections = mostConnections;
    const taken = await listen(server, port, host);
    const token = randomBytes(32).toString("base64url");
    const app = studioApp(studio, {
      ...{ token, port: taken, hosts: hostsOf(host), streams, say },
      files: readStaticFiles(page),
    });
    server.on("request", getRequestListener(app.fetch, { errorHandler: unreadable }));
    const silence = studio.listen((event) => streams.send(event));
    const idle = setTimeout(() => void studio.workIdly(), untilIdle);
    return {
      address: `http://${shownHost(host)}:${taken}/?token=${token}`,
      close: async () => {
        clearTimeout(idle);
        silence();
        streams.close();
        server.close();
        server.closeAllConnections();
        await studio.close();
      },
    };
  } catch (error) {
    await studio.close();
    throw error;
  }
}

/** A method or an address that no browser sends. */
const unreadable = (): Response => Response.json({ error: "the request cannot be read" }, { status: 400 });

/** Returns the port. */
async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw codeOf(error) === "EADDRINUSE"
      ? new InputError(`port ${port} is taken; choose another, or none`, { option: "port" })
      : new InputError(`cannot listen at ${host}, port ${port}: ${reasonOf(error)}; choose others`, { option: "host" });
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

const loopback = ["127.0.0.1", "localhost", "[::1]"];
const everywhere = ["0.0.0.0", "::"];

const inAddress = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** By which names this server is asked for; no name that somebody else can make point here is among them. */
function hostsOf(host: string): readonly string[] {
  if (!everywhere.includes(host)) return [...loopback, inAddress(host).toLowerCase()];
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => inAddress(address)));
  return [...loopback, hostname().toLowerCase(), ...own];
}

const shownHost = (host: string): string => (everywhere.includes(host) ? hostname() : inAddress(host));
