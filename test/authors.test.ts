import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

test("wherever the paper's authors are named, all four are", () => {
  const listed = ["src", "docs", "examples", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const texts = ["README.md", "package.json", ...listed].filter((file) => /\.(md|ts|js|json)$/.test(file));
  const second = "Qia" + "o";
  const naming = texts.filter((file) => readFileSync(join(root, file), "utf8").includes(second));
  expect(naming.length).toBeGreaterThan(3);
  for (const file of naming) {
    const text = readFileSync(join(root, file), "utf8").replace(/\s+/g, " ");
    const named = text.matchAll(new RegExp(`\\S+ ${second}[^.]{0,12}`, "g"));
    for (const [names] of named) expect(names, file).toMatch(/^\(?"?Li, \w+, Zhang, Xi/);
  }
});
