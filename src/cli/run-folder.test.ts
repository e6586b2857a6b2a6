import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { boostcluster, startBoostcluster } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { lockName } from "../runs/run-lock.ts";
import { takeFolder } from "./run-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-run-folder-"));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(20);
}

if (process.platform === "win32")
  console.warn("locks and Ctrl-C are not tried on Windows, which has no signals to send");

test.skipIf(process.platform === "win32")(
  "one process writes to a run; what a killed one has left stops nobody",
  async () => {
    const images = join(folder, "shapes");
    await writeShapeFolder(images, 60);
    const out = join(folder, "run");
    const lock = join(out, lockName);
    const holder = (): unknown => (existsSync(lock) ? JSON.parse(readFileSync(lock, "utf8") || "{}").pid : undefined);
    const training = ["--pretrain-epochs", "100000", "--epochs", "1", "--batch", "32"];
    const args = [
      "cluster",
      images,
      "-k",
      "4",
      "--preset",
      "paper",
      ...training,
      "--quiet",
      "--no-report",
      "--out",
      out,
    ];
    const cached = [...args, "--cache-folder", join(folder, "cache")];
    const first = startBoostcluster(cached);
    await until(() => existsSync(join(out, "checkpoint.safetensors")));
    for (const more of [[], ["--resume"], ["--force"]]) {
      const { status, stdout, stderr } = boostcluster([...cached, ...more]);
      expect(stderr).toMatch(/^boostcluster: .*run: process \d+ has been writing to this run since .* \(--out\)\n$/);
      expect(stderr).toContain(`process ${first.pid} `);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    }
    first.kill("SIGKILL");
    await once(first, "exit");
    expect(holder()).toBe(first.pid);
    const second = startBoostcluster([...cached, "--resume"]);
    await until(() => holder() === second.pid);
    second.kill("SIGINT");
    const [code] = await once(second, "exit");
    expect(code).toBe(1);
    expect(readdirSync(out)).not.toContain(lockName);
  },
);

test("what a failed run has left is told from anything else, and --force removes it", () => {
  const left = join(folder, "left");
  mkdirSync(left);
  writeFileSync(join(left, "model.onnx"), "half of it");
  writeFileSync(join(left, ".run.json.0123.tmp"), "{");
  expect(() => takeFolder(left, { force: false, resume: false })).toThrow("a run that failed has left files here");
  takeFolder(left, { force: true, resume: false }).release();
  writeFileSync(join(left, "diary.txt"), "mine");
  expect(() => takeFolder(left, { force: true, resume: false })).toThrow("this folder is not empty");
});
