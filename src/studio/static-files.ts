/** The built page: files that were there at the start, by the address that each is asked for with; no others. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface StaticFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Whether its name changes with its content. */
  readonly lasting: boolean;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json",
};

/** Where the build puts it: beside this file, or, where TypeScript runs as it is, in dist. */
export const builtPage = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../../dist/studio/page/" : "page/", import.meta.url));

/** By address, such as /assets/index-4f1b.js; / is index.html. */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  if (!existsSync(folder)) return files;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const type = types[extname(name)];
    if (type === undefined || !statSync(join(folder, name)).isFile()) continue;
    const path = name.replaceAll("\\", "/");
    const file = {
      content: new Uint8Array(readFileSync(join(folder, name))),
      type,
      lasting: path.startsWith("assets/"),
    };
    files.set(path === "index.html" ? "/" : `/${path}`, file);
  }
  return files;
}
