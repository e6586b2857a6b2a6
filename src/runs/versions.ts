/** What made a result: the same versions on the same platform give the same bits. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export interface Versions {
  readonly boostcluster: string;
  readonly onnxruntime: string;
  readonly node: string;
  readonly platform: string;
}

export function versions(): Versions {
  const require = createRequire(import.meta.url);
  return {
    boostcluster: versionIn(new URL("../../package.json", import.meta.url)),
    onnxruntime: versionIn(require.resolve("onnxruntime-node/package.json")),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
}

const versionIn = (manifest: string | URL): string => JSON.parse(readFileSync(manifest, "utf8")).version;
