/** The page's style and script, which are separate files so that CSS and JavaScript tools can check them. */
import { readFileSync } from "node:fs";

/** The same place from the sources and from what is built of them. */
const folder = new URL("../../src/report/page/", import.meta.url);

const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

export const pageStyle = (): string => read("base.css") + read("style.css");

/** The modules of the script in one file: each after those that it imports, without imports and exports. */
export function pageScript(): string {
  const done = new Set<string>();
  const inline = (name: string): string => {
    if (done.has(name)) return "";
    done.add(name);
    const text = read(name);
    const imported = [...text.matchAll(importing)].map(([, path]) => inline(path)).join("");
    return `${imported}${text.replace(importing, "").replace(/^export /gm, "")}\n`;
  };
  return inline("main.js");
}

const importing = /^import [^;]*? from "\.\/([^"]+)";\n/gm;
