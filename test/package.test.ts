/**
 * The package as a user gets it: packed, installed into an empty project as the README says, type-checked strictly
 * without anyone else's types, and used by the README's own lines.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeShapeFolder } from "./image-folder.ts";
import { shapeDataset } from "./shapes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "boostcluster-package-"));
const project = join(folder, "project");
const minutes = 60_000;

/** What `npm test` tells npm about this repository is nothing to the npm of an empty project. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_config_(ignore|omit|local)_/i.test(name)),
  ),
  npm_config_audit: "false",
  npm_config_fund: "false",
  XDG_CACHE_HOME: join(folder, "cache"),
};

function run(command: string, args: readonly string[], cwd = project): SpawnSyncReturns<string> {
  // On Windows npm is a script, which only a shell starts.
  const shell = process.platform === "win32" && command !== process.execPath;
  return spawnSync(command, args, { cwd, env: environment, encoding: "utf8", maxBuffer: 1 << 26, shell });
}

function succeed(command: string, args: readonly string[], cwd = project): string {
  const { status, stdout, stderr } = run(command, args, cwd);
  expect(status, `${command} ${args.join(" ")}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

/** A part of the README that this test lives on. */
function fromReadme(pattern: RegExp): string {
  const found = pattern.exec(readme)?.[1];
  if (found === undefined) throw new Error(`README.md has nothing like ${pattern}`);
  return found;
}

const installLine = fromReadme(/^npm install (boostcluster\b.*)$/m);
const lines = fromReadme(/^```ts\n(.*?)^```/ms);
const imageFolder = fromReadme(/openDataset\("([^"]+)"\)/);
const runFolder = fromReadme(/saveRun\("([^"]+)"/);

const registry = run("npm", ["view", "sharp", "version", "--fetch-retries=0"], root);
if (registry.status !== 0) {
  const reason = /npm error code (.*)/.exec(registry.stderr)?.[1] ?? registry.stderr;
  console.warn(`the package was not installed and tried: the npm registry cannot be reached (${reason})`);
}
const inProject = test.runIf(registry.status === 0);

beforeAll(async () => {
  if (registry.status !== 0) return;
  succeed("npm", ["run", "check:package"], root);
  succeed("npm", ["pack", "--pack-destination", folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  const args = installLine.split(/\s+/).map((word) => (word === "boostcluster" ? join(folder, tarball) : word));
  succeed("npm", ["install", ...args]);
  await writeShapeFolder(join(project, imageFolder), 60);
}, 15 * minutes);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

inProject("holds what a user needs, and no more", () => {
  const installed = join(project, "node_modules", "boostcluster");
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
  expect(files.filter((file) => /\.test\.|\.map$|results|tsconfig/.test(file))).toEqual([]);
  expect(files.filter((file) => file.startsWith("src/") && !file.startsWith("src/report"))).toEqual([]);
  const pictures = [...readme.matchAll(/\((docs\/[^)]*\.(?:png|svg))\)/g)].map(([, path]) => path);
  expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", ...pictures]));
});

inProject(
  "the README's lines compile strictly without types of Node, and run",
  () => {
    const { image } = shapeDataset(1);
    // The README leaves open where the pixels of new images come from.
    const pixels = `const pixels = new Float32Array(${image.channels * image.height * image.width});\n`;
    const given = /\b(const|let) pixels\b/.test(lines) ? "" : pixels;
    // Small sets train for thousands of epochs; a few show as much here.
    const quick = lines.replace(/\bk: \d+/, "$&, pretrainEpochs: 2, epochs: 2");
    expect(quick).not.toBe(lines);
    writeFileSync(join(project, "lines.ts"), `${given}${quick}`);
    writeFileSync(join(project, "all.ts"), 'export * from "boostcluster";\n');
    const compilerOptions = { target: "es2022", module: "nodenext", strict: true, skipLibCheck: false, types: [] };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["lines.ts", "all.ts"] }));
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    succeed(process.execPath, [compiler, "-p", project]);
    succeed(process.execPath, ["lines.js"]);
    expect(readdirSync(join(project, runFolder))).toContain("model.onnx");
  },
  15 * minutes,
);

inProject(
  "the command line helps, clusters and writes its report",
  () => {
    expect(succeed("npx", ["boostcluster", "--help"])).toContain("usage: boostcluster <command>");
    const quick = ["--pretrain-epochs", "1", "--epochs", "1", "--restarts", "1"];
    succeed("npx", ["boostcluster", "cluster", imageFolder, "-k", "4", "--out", "run", ...quick]);
    expect(existsSync(join(project, "run", "report.html"))).toBe(true);
  },
  15 * minutes,
);
