/** The documentation says what is true: links lead somewhere, named files exist, and options are those of the tables. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { commandLineDocs } from "../scripts/command-line-docs.ts";
import { boostcluster } from "./command-line.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => `docs/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".md")),
];

/** Files and anchors that a page leads to, by its Markdown links and pictures. */
function relativeLinks(page: string): readonly { readonly path: string; readonly anchor: string }[] {
  return [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor = ""] = target.split("#");
      return { path: path === "" ? page : join(dirname(page), path).replaceAll("\\", "/"), anchor };
    });
}

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");

/** The anchors that GitHub and others give to headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...withoutCode(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

test.each(pages)("every relative link of %s leads to a file, and to a heading in it", (page) => {
  for (const { path, anchor } of relativeLinks(page)) {
    expect(existsSync(join(root, path)), `${page} → ${path}`).toBe(true);
    if (anchor !== "") expect(anchorsOf(path), `${page} → ${path}#${anchor}`).toContain(anchor);
  }
});

test.each(pages.filter((page) => page !== "CHANGELOG.md"))("every source file that %s names exists", (page) => {
  for (const [path] of read(page).matchAll(/\b(?:src|test|scripts|speed|examples)\/[\w./-]+\.\w+\b/g))
    expect(existsSync(join(root, path)), `${page} names ${path}`).toBe(true);
});

test("docs/command-line.md is what `npm run docs` makes", async () => {
  const made = await commandLineDocs();
  expect(made).toContain("## cluster");
  expect(made.split("\n")).toEqual(read("docs/command-line.md").split("\n"));
});

test("every command that `boostcluster --help` lists has a section in docs/command-line.md", () => {
  const listed = [...boostcluster(["--help"]).stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
  expect(listed).toContain("cluster");
  expect(anchorsOf("docs/command-line.md")).toEqual(expect.arrayContaining(listed));
});

test("options in the documentation are options of the command line", async () => {
  const flagsIn = (text: string): readonly string[] => text.match(/--[a-z][a-z-]*/g) ?? [];
  const known = flagsIn(await commandLineDocs());
  for (const page of pages.filter((one) => one !== "CHANGELOG.md"))
    for (const [command] of read(page).matchAll(/(?<=`)--[^`\n]*(?=`)|(?<=`|^)boostcluster [^`\n]*/gm))
      for (const flag of flagsIn(command)) expect(known, `${page}: ${command}`).toContain(flag);
});

/** Every benchmark.md is made by `boostcluster benchmark`. */
test.each(pages.filter((page) => !page.endsWith("/benchmark.md")))("%s has lines of at most 120 columns", (page) => {
  const lines = withoutCode(read(page)).split("\n");
  expect(lines.filter((line) => line.length > 120 && !line.trimStart().startsWith("|"))).toEqual([]);
});

test("the rooms in docs/architecture.md are those of the import test, in the same order", () => {
  const [, diagram] = /^## The rooms of src[\s\S]*?^```\n([\s\S]*?)^```/m.exec(read("docs/architecture.md")) ?? [];
  const [, rooms] = /const rooms = \[([\s\S]*?)\];/.exec(read("test/imports.test.ts")) ?? [];
  const drawn = [...(diagram ?? "").matchAll(/^\w+/gm)].map(([room]) => room);
  expect(drawn).toEqual([...(rooms ?? "").matchAll(/"(\w+)"/g)].map(([, room]) => room));
  expect(drawn.length).toBeGreaterThan(10);
});
