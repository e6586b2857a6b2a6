import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../src", import.meta.url));

/** What each folder of src may import from, besides itself and the files beside index.ts. */
const below: Readonly<Record<string, readonly string[]>> = {
  cli: [
    "benchmark",
    "export",
    "report",
    "figures",
    "methods",
    "manifold",
    "model",
    "network",
    "clustering",
    "graph",
    "engine",
    "data",
    "metrics",
  ],
  benchmark: ["figures", "methods", "manifold", "model", "network", "clustering", "graph", "engine", "data", "metrics"],
  export: ["model", "network", "data"],
  report: ["figures", "manifold", "model", "network", "clustering", "graph", "engine", "metrics"],
  figures: ["manifold", "model", "network", "clustering", "graph", "engine", "metrics"],
  methods: ["manifold", "model", "network", "clustering", "graph", "engine"],
  model: ["network", "clustering", "graph", "engine"],
  network: ["clustering", "graph", "engine"],
  manifold: ["graph", "engine"],
  clustering: ["graph", "engine"],
  graph: ["engine"],
  engine: [],
  data: [],
  metrics: [],
};

/** The folders that a file of src imports from; "" is src itself. */
function importedFolders(file: string): string[] {
  const imports = readFileSync(join(root, file), "utf8").matchAll(/from "(\.[^"]+)"/g);
  return [...imports].map(([, path]) => {
    const parts = join(file, "..", path).split("/");
    return parts.length > 1 ? parts[0] : "";
  });
}

test("imports go downwards only", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\/.*(?<!\.test)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(80);
  for (const file of files) {
    const [folder] = file.split("/");
    for (const imported of importedFolders(file))
      if (imported !== "" && imported !== folder)
        expect(below[folder], `${file} imports from ${imported}`).toContain(imported);
  }
});
