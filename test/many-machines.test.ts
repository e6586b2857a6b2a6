/** docs/many-machines.md: its scripts say what exists, and its figure shows what was measured. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  manyMachinesFigure,
  measuredTables,
  speedUp,
  storedRows,
  sumTimes,
  withTables,
} from "../scripts/many-machines.ts";
import { clusterCommand } from "../src/cli/commands/cluster.ts";
import { parseOptions } from "../src/cli/options.ts";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");
const page = read("docs/many-machines.md");

function block(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(page) ?? [];
  if (text === undefined) throw new Error(`the page has no block of ${language}`);
  return text;
}

/** Throws where the command line would not take these words. */
function expectTaken(words: readonly string[]): void {
  const [program, command, ...rest] = words;
  expect([program, command]).toEqual(["boostcluster", "cluster"]);
  const { options, positionals } = parseOptions(rest, clusterCommand.options);
  expect(positionals).toHaveLength(1);
  expect(options.k).toBe("10");
}

test("the script for Slurm is one that bash reads, and runs a command that exists", () => {
  const script = block("bash");
  const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const [, command] = /(boostcluster cluster .*)$/m.exec(script) ?? [];
  const words = command
    .replace('"$run"', "runs/digits")
    .replace('"$SLURM_CPUS_PER_TASK"', "16")
    .replace(/"\$\{resume\[@\]\}"/, "--resume")
    .split(" ");
  expectTaken(words);
  for (const line of script.split("\n").filter((one) => one.startsWith("#SBATCH")))
    expect(line).toMatch(/^#SBATCH --[a-z-]+=\S+$/);
});

const dockerPackages = (): readonly string[] =>
  (/apt-get install --yes --no-install-recommends ([^\\]+)/.exec(block("dockerfile"))?.[1] ?? "").trim().split(" ");

test("the container has Node as it is asked for, the packages that the tests use, and that Debian has", () => {
  const file = block("dockerfile");
  const [, major] = /^FROM node:(\d+)-bookworm/m.exec(file) ?? [];
  const [, least] = />=(\d+)/.exec(JSON.parse(read("package.json")).engines.node) ?? [];
  expect(Number(major)).toBeGreaterThanOrEqual(Number(least));
  const [, tested] = /command -v mpirun >\/dev\/null \|\| install "([^"]+)"/.exec(read(".ci/run")) ?? [];
  expect(dockerPackages()).toEqual(expect.arrayContaining(tested.split(" ")));
  for (const name of tested.split(" ")) expect(page).toMatch(new RegExp(`apt-get install .*${name}`));
  expect(file).toContain("npm install --global --ignore-scripts");
  // Lines that go on say so, and none else.
  const lines = file.trimEnd().split("\n");
  lines.forEach((line, index) => {
    const goesOn = lines[index - 1]?.endsWith("\\") ?? false;
    expect(/^(FROM|RUN|ARG|USER|WORKDIR|#|$)/.test(line) !== goesOn, line).toBe(true);
  });
});

const bookworm =
  existsSync("/etc/os-release") && /VERSION_CODENAME=bookworm/.test(readFileSync("/etc/os-release", "utf8"));
if (!bookworm) console.warn("the container's packages were not looked up: this is not Debian 12");
test.runIf(bookworm)("Debian 12 has the container's packages", () => {
  for (const name of dockerPackages()) {
    const { stdout } = spawnSync("apt-cache", ["policy", name], { encoding: "utf8" });
    // Without lists of packages, as in a fresh container, nothing is known of any.
    if (stdout !== "") expect(stdout).toContain("Candidate:");
  }
});

const python = "/usr/bin/python3";
const hasYaml = spawnSync(python, ["-c", "import yaml"]).status === 0;
if (!hasYaml) console.warn("the job of Kubernetes was not read: install Debian's python3-yaml");
test.runIf(hasYaml)("the job of Kubernetes starts as many ranks as it has workers, with the container's keys", () => {
  const script = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))";
  const { stdout, stderr } = spawnSync(python, ["-c", script], { input: block("yaml"), encoding: "utf8" });
  expect(stderr).toBe("");
  const { kind, spec } = JSON.parse(stdout);
  const { Launcher, Worker } = spec.mpiReplicaSpecs;
  const [launcher, worker] = [Launcher, Worker].map(({ template }) => template.spec.containers[0]);
  expect(kind).toBe("MPIJob");
  expect(launcher.image).toBe(worker.image);
  const words: readonly string[] = launcher.args;
  expect(words.slice(0, 2)).toEqual(["-np", String(spec.slotsPerWorker * Worker.replicas)]);
  expectTaken(words.slice(words.indexOf("boostcluster")));
  expect(block("dockerfile")).toContain(`HostKey ${spec.sshAuthMountPath}/id_rsa`);
  expect(block("dockerfile")).toContain(`> ${worker.command.at(-1)}`);
});

test("what the library's example imports is there", async () => {
  const [, names] = /import \{ (.*) \} from "boostcluster"/.exec(block("ts")) ?? [];
  const library = await import("../src/index.ts");
  expect(Object.keys(library)).toEqual(expect.arrayContaining(names.split(", ")));
});

test("tables and figure are what the script makes of the stored numbers", () => {
  expect(manyMachinesFigure(storedRows()).split("\n")).toEqual(read("docs/many-machines.svg").split("\n"));
  expect(withTables(page, measuredTables(storedRows())).split("\n")).toEqual(page.split("\n"));
});

test("the model: one machine needs no sum, and a ring is the better one for long vectors, a tree for short ones", () => {
  const link = { delay: 1e-3, perByte: 8e-9 };
  const step = (floats: number) =>
    ({ kind: "step", link: "memory", job: "fcae", network: "mnist", floats, one: 1, two: 1, inMpi: 0 }) as const;
  for (const algorithm of ["ring", "tree"] as const) {
    expect(speedUp(step(1000), 1, algorithm, link)).toBe(1);
    expect(speedUp(step(1000), 8, algorithm, link)).toBeLessThan(8);
  }
  expect(sumTimes.ring(8, 1e8, link)).toBeLessThan(sumTimes.tree(8, 1e8, link));
  expect(sumTimes.tree(512, 4, link)).toBeLessThan(sumTimes.ring(512, 4, link));
});
