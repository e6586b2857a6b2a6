import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../src", import.meta.url));

/** Comments may speak of the shell, and CSS has variables. */
const isMessage = (line: string): boolean => !/^\s*(\/?\*|\/\/)/.test(line) && !line.includes("var(--");

test("the library's messages name its options, not the shell's flags", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    // The studio starts commands of the shell.
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !/^(cli|studio)\//.test(file));
  expect(files.length).toBeGreaterThan(80);
  for (const file of files)
    for (const line of readFileSync(join(root, file), "utf8").split("\n"))
      if (isMessage(line)) expect(line, file).not.toMatch(/(^|[\s"'`(])--[a-z]/);
});
