import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../src", import.meta.url));

/** The rooms of src, from the user interface down to the foundations: each may import from those below it. */
const rooms = [
  "cli",
  "studio",
  "benchmark",
  "report",
  "export",
  "figures",
  "methods",
  "runs",
  "backbones",
  "network",
  "embedding",
  "clustering",
  "graph",
  "engine",
  "images",
  "metrics",
  "numeric",
  "files",
];

/** Rooms that must not import from one another, although one is above the other in the list. */
const strangers: Readonly<Record<string, readonly string[]>> = {
  studio: ["benchmark"],
  benchmark: ["report", "export"],
  report: ["export"],
  export: ["figures", "methods", "embedding"],
  figures: ["methods"],
  methods: ["metrics"],
  runs: ["backbones"],
  backbones: ["embedding", "clustering", "metrics"],
  network: ["embedding"],
  engine: ["images", "metrics", "numeric"],
  images: ["metrics"],
};

/** Rooms that may run in a browser one day: they import nothing of Node, except through the engine. */
const withoutNode = ["methods", "network", "embedding", "clustering", "graph", "metrics", "numeric"];

interface Import {
  readonly module: string;
  /** Erased by the compiler. */
  readonly typeOnly: boolean;
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /(?<!\.test)\.ts$/.test(file));

/** Our own modules by their path below src, others by their name; those that are loaded late count as well. */
function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?([^;]*?)\s*from "([^"]+)";/gm);
  const late = text.matchAll(/\bimport\("([^"]+)"\)/g);
  const moduleOf = (path: string): string =>
    path.startsWith(".") ? join(file, "..", path).replaceAll("\\", "/") : path;
  return [
    ...[...found].map(([, type, names, path]) => ({
      module: moduleOf(path),
      typeOnly: type !== undefined || /^\{(\s*type \w+,?)+\s*\}$/.test(names),
    })),
    ...[...late].map(([, path]) => ({ module: moduleOf(path), typeOnly: false })),
  ];
}

const roomOf = (file: string): string => (file.includes("/") ? file.split("/")[0] : "");

test("imports go downwards only", () => {
  expect(files.length).toBeGreaterThan(80);
  expect(new Set(files.map(roomOf))).toEqual(new Set(["", ...rooms]));
  for (const file of files.filter((one) => one !== "index.ts")) {
    const room = roomOf(file);
    const below = rooms.slice(rooms.indexOf(room)).filter((one) => !strangers[room]?.includes(one));
    for (const { module } of importsOf(file))
      if (files.includes(module)) expect(below, `${file} imports ${module}`).toContain(roomOf(module));
  }
});

test("index.ts is the only file in src itself", () => {
  expect(files.filter((file) => !file.includes("/"))).toEqual(["index.ts"]);
});

test("computation needs nothing of Node", () => {
  const needed = new Map<string, readonly string[]>();
  /** The chain of imports to a module of Node, if there is one. */
  const wayToNode = (file: string): readonly string[] => {
    const known = needed.get(file);
    if (known !== undefined) return known;
    needed.set(file, []);
    for (const { module, typeOnly } of importsOf(file)) {
      if (typeOnly || roomOf(module) === "engine") continue;
      const way = module.startsWith("node:") ? [module] : files.includes(module) ? wayToNode(module) : [];
      if (way.length > 0) {
        needed.set(file, [file, ...way]);
        break;
      }
    }
    return needed.get(file) ?? [];
  };
  const pure = files.filter((file) => withoutNode.includes(roomOf(file)));
  expect(pure.length).toBeGreaterThan(80);
  for (const file of pure) expect(wayToNode(file).join(" → "), file).toBe("");
});
