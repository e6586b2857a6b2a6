/** The examples run as they stand, against the sources. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { writeShapeFolder } from "./image-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-examples-"));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function runExample(name: string, args: readonly string[]) {
  const example = fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
  return spawnSync(process.execPath, ["--import", import.meta.resolve("tsx"), example, ...args], {
    encoding: "utf8",
    env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache") },
  });
}

test("cluster-images clusters a folder, saves the run and uses the saved model; cluster-sheet draws it", async () => {
  const images = join(folder, "shapes");
  const run = join(folder, "run");
  await writeShapeFolder(images, 64);
  const clustered = runExample("cluster-images.ts", [images, "4", run]);
  expect(clustered.stdout, clustered.stderr).toMatch(
    /clusters of \d+, \d+, \d+, \d+ images\nthe model puts group0\/0\.png into cluster \d/,
  );
  const sheet = join(folder, "sheet.png");
  const drawn = runExample("cluster-sheet.ts", [run, images, sheet]);
  expect(drawn.stdout, drawn.stderr).toContain("4 clusters in");
  expect(existsSync(sheet)).toBe(true);
});
