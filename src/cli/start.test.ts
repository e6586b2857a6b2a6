import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { boostcluster } from "../../test/command-line.ts";

/** At the end, tells on standard error which native libraries the process has loaded. */
const telling = `data:text/javascript,${encodeURIComponent(`
process.report.excludeNetwork = true;
process.on("exit", () => process.stderr.write(process.report.getReport().sharedObjects.join("\\n")));
`)}`;

const native = /sharp|vips|onnxruntime/;

test.each(["--help", "--version", "cluster --help", "benchmark --help --all", "methods"])(
  "%s answers before any native library is loaded",
  (line) => {
    const { status, stdout, stderr } = boostcluster(line.split(" "), { before: [telling] });
    expect(status, stderr).toBe(0);
    expect(stdout).not.toBe("");
    expect(stderr).not.toBe("");
    expect(stderr).not.toMatch(native);
  },
);

test("a native library that was loaded would be seen", () => {
  for (const module of ["sharp", "onnxruntime-node"]) {
    const { stderr } = spawnSync(
      process.execPath,
      ["--import", telling, "--eval", `import(${JSON.stringify(module)})`],
      {
        encoding: "utf8",
      },
    );
    expect(stderr).toMatch(native);
  }
});
