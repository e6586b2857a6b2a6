/** Style and script of the page, which are files of their own, so that they are checked as what they are. */
import { readFileSync } from "node:fs";

/** The same place from the sources and from what is built of them. */
const folder = new URL("../../src/report/page/", import.meta.url);

const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

export const pageStyle = (): string => read("style.css");

/** The modules of the script in one: each after those that it imports, without the words that link them. */
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
