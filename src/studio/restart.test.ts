import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBoostcluster } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { StudioClient } from "../../test/studio-client.ts";
import { InputError } from "../files/errors.ts";
import type { StudioState } from "./api.ts";
import { subjectOf } from "./subject.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-restart-"));
const images = join(folder, "images");
const place = ["--cache-folder", join(folder, "cache"), "--no-open"];
const started: ChildProcess[] = [];

beforeAll(() => writeShapeFolder(images, 40));
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** In a process of its own; the first line that it prints is its address. */
async function startStudio(given: string): Promise<{ readonly child: ChildProcess; readonly client: StudioClient }> {
  const child = startBoostcluster(["studio", given, ...place], { cwd: folder });
  started.push(child);
  if (child.stdout === null) throw new Error("no standard output");
  const [address] = await once(createInterface({ input: child.stdout }), "line");
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  return { child, client: await StudioClient.of(address) };
}

async function until(client: StudioClient, holds: (state: StudioState) => boolean): Promise<StudioState> {
  for (;;) {
    const state = await client.state();
    if (holds(state)) return state;
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

test("images are clustered from the page: stopped, gone on with by another studio, corrected, and all is there after kill -9", async () => {
  const first = await startStudio("images");
  expect(await first.client.state()).toMatchObject({ phase: "images", count: 40, clusters: [] });
  expect((await first.client.ask("/api/training/continue", { body: {} })).status).toBe(409);
  await first.client.post("/api/training/start", { k: 2, seed: 1, effort: "quick" });
  expect((await first.client.ask("/api/training/start", { body: { k: 2 } })).status).toBe(409);
  await until(first.client, ({ training }) => (training?.losses.length ?? 0) > 0);
  await first.client.post("/api/training/stop");
  const stopped = await until(first.client, ({ training }) => training?.state !== "stopping");
  expect(stopped).toMatchObject({ phase: "training", training: { state: "stopped" } });

  // The server dies in the middle, and the process that clusters ends with it.
  await first.client.post("/api/training/continue");
  await until(first.client, ({ training }) => training?.stage !== "starting");
  first.child.kill("SIGKILL");

  const second = await startStudio(join("runs", "images"));
  const offered = await second.client.state();
  expect(offered).toMatchObject({ phase: "training", count: 40, training: { state: "stopped" } });
  expect(offered.training?.losses.length).toBeGreaterThan(0);
  // The run's lock is let go once that process has saved what it has.
  await expect
    .poll(
      async () => {
        await second.client.ask("/api/training/continue", { body: {} });
        return (await until(second.client, ({ training }) => training?.stage !== "starting")).training?.state;
      },
      { timeout: 60_000, interval: 500 },
    )
    .not.toBe("failed");
  const done = await until(second.client, ({ phase }) => phase === "run");
  expect(done).toMatchObject({ count: 40, organizable: true });

  await second.client.post("/api/decisions", { kind: "rename", cluster: 0, name: "kept" });
  await second.client.post("/api/decisions", { kind: "aside", images: [1, 2, 3] });
  const { revision, pictures, ...decided } = await second.client.post("/api/undo");
  second.child.kill("SIGKILL");

  const third = await startStudio(join("runs", "images"));
  expect(await third.client.state()).toMatchObject(decided);
  const redone = await third.client.post("/api/redo");
  expect(redone.aside).toBe(3);
  third.child.kill("SIGINT");
  expect(await once(third.child, "exit")).toEqual([0, null]);
}, 180_000);

test("what cannot be opened is said, and without anything it is the newest run", () => {
  expect(() => subjectOf(undefined, join(folder, "none"))).toThrow(InputError);
  expect(() => subjectOf(join(folder, "missing"))).toThrow(/there is no such run, folder or file/);
  expect(subjectOf(images)).toEqual({ kind: "images", source: images });
  const runs = join(folder, "runs");
  expect(subjectOf(undefined, runs)).toEqual({ kind: "run", folder: join(runs, "images") });
});

test("what cannot be clustered is told in one line, and can be tried anew with other options", async () => {
  const { client } = await startStudio(images);
  await client.post("/api/training/start", { k: 500 });
  const { training } = await until(client, (state) => state.training?.state === "failed");
  expect(training?.error).toBe("k = 500 is more than the number of images, 40");
  await client.post("/api/training/start", { k: 3, backbone: "none", effort: "quick" });
  expect((await client.state()).training?.state).toBe("running");
}, 60_000);
