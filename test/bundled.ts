/** Scripts of tests as one file that Node runs as it is: hundreds of processes start faster than through a compiler. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Returns where the script is now; it is in a folder of its own, which the caller removes. */
export async function bundled(name: string): Promise<{ readonly script: string; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "boostcluster-bundled-"));
  await build({
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
    build: { ssr: fileURLToPath(new URL(name, import.meta.url)), outDir: folder, target: "node20" },
  });
  return { script: join(folder, `${parse(name).name}.js`), folder };
}
