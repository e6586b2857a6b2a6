/**
 * How the studio does with 100,000 images: how soon it answers, what it takes of memory, how long a decision takes.
 *
 * npm run build && npm run bench:studio [-- images]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { makeLargeRun } from "./large-run.ts";

const program = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

export interface StartedStudio {
  readonly process: ChildProcess;
  /** With the token. */
  readonly address: string;
  /** Asks for something, as the page does. */
  ask(path: string, body?: unknown): Promise<Response>;
}

/** Starts the built studio on a run; `cache` is where its thumbnails go. */
export async function startBuiltStudio(run: string, cache: string): Promise<StartedStudio> {
  const child = spawn(process.execPath, [program, "studio", run, "--no-open", "--cache-folder", cache], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [address] = await once(createInterface({ input: child.stdout }), "line");
  const { origin } = new URL(address);
  const opened = await fetch(address, { redirect: "manual" });
  const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0];
  return {
    process: child,
    address,
    ask: (path, body) =>
      fetch(`${origin}${path}`, {
        headers: { cookie, "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      }),
  };
}

/** Milliseconds until the answer is there. */
async function timed(ask: () => Promise<Response>): Promise<string> {
  const began = performance.now();
  const answer = await ask();
  const bytes = (await answer.arrayBuffer()).byteLength;
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return `${Math.round(performance.now() - began)} ms (${Math.ceil(bytes / 1024)} KB)`;
}

/** In megabytes; only Linux tells. */
function memoryOf({ pid }: ChildProcess): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  return `${Math.round(kilobytes("VmRSS") / 1024)} MB now, ${Math.round(kilobytes("VmHWM") / 1024)} MB at most`;
}

async function measure(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "boostcluster-studio-"));
  try {
    const { run } = await makeLargeRun(folder, { count });
    const began = performance.now();
    const studio = await startBuiltStudio(run, join(folder, "cache"));
    const say = (what: string, value: string): void => console.log(`${what.padEnd(44)}${value}`);
    const since = (): string => `${Math.round(performance.now() - began)} ms`;
    try {
      say("from start to address", since());
      await timed(() => studio.ask("/"));
      say("from start to first page", since());
      say("state", await timed(() => studio.ask("/api/studio")));
      say("all images by doubt", await timed(() => studio.ask("/api/clusters/all/images?order=doubt")));
      say("all images by likeness", await timed(() => studio.ask("/api/clusters/all/images?order=likeness&like=7")));
      say("an image with its neighbours", await timed(() => studio.ask("/api/images/7")));
      const thumbnails = Array.from({ length: 200 }, (_, at) => at * 37);
      const wave = performance.now();
      await Promise.all(thumbnails.map((image) => timed(() => studio.ask(`/api/images/${image}/thumbnail`))));
      say("200 thumbnails, made", `${Math.round(performance.now() - wave)} ms`);
      const again = performance.now();
      await Promise.all(thumbnails.map((image) => timed(() => studio.ask(`/api/images/${image}/thumbnail`))));
      say("200 thumbnails, kept", `${Math.round(performance.now() - again)} ms`);
      say("first decision, keys of all files included", await timed(() => studio.ask("/api/decisions", rename("a"))));
      say("rename", await timed(() => studio.ask("/api/decisions", rename("b"))));
      const images = Array.from({ length: count / 2 }, (_, at) => at);
      say(
        `move ${images.length} images`,
        await timed(() => studio.ask("/api/decisions", { kind: "move", images, to: 1 })),
      );
      say("undo", await timed(() => studio.ask("/api/undo", {})));
      say("redo", await timed(() => studio.ask("/api/redo", {})));
      say("split preview", await timed(() => studio.ask("/api/split-preview", { cluster: 1, parts: 6 })));
      say("memory of the server", memoryOf(studio.process));
    } finally {
      studio.process.kill("SIGINT");
      await once(studio.process, "exit");
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const rename = (name: string) => ({ kind: "rename", cluster: 0, name });

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure(Number(process.argv[2] ?? 100_000));
