/**
 * Runs in every test file: each model that its tests run is validated by the checker of the `onnx` package (Debian's
 * python3-onnx), which knows the standard and nothing of our code.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, vi } from "vitest";
import { Session } from "../src/engine/session.ts";

const python = "/usr/bin/python3";
/** By their hashes: fits that are alike run the same models, and each is validated once. */
const models = new Map<string, Uint8Array>();

const open = Session.open;
vi.spyOn(Session, "open").mockImplementation((program, options) => {
  models.set(createHash("sha256").update(program.model).digest("hex"), program.model);
  return open.call(Session, program, options);
});

/** What the script ends with where there is no checker. */
const notInstalled = 3;

/** A model of somebody else's may be newer than the checker. */
const script = `
import sys
try:
    import onnx
except ImportError:
    sys.exit(${notInstalled})
for path in sys.argv[1:]:
    model = onnx.load(path)
    versions = [entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")]
    if model.ir_version > onnx.IR_VERSION or max(versions) > onnx.defs.onnx_opset_version():
        print(f"not validated: ONNX {max(versions)}, IR {model.ir_version}, which onnx {onnx.__version__} does not know")
    else:
        onnx.checker.check_model(path, full_check=True)
`;

afterAll(() => {
  if (models.size === 0) return;
  const folder = mkdtempSync(join(tmpdir(), "boostcluster-models-"));
  try {
    const paths = [...models.values()].map((model, index) => {
      const path = join(folder, `${index}.onnx`);
      writeFileSync(path, model);
      return path;
    });
    const { error, status, stdout, stderr } = spawnSync(python, ["-c", script, ...paths], { encoding: "utf8" });
    if (error !== undefined || status === notInstalled)
      console.warn(`${models.size} models were not validated by the ONNX checker: install Debian's python3-onnx`);
    else if (status !== 0) throw new Error(`the ONNX checker refuses a model:\n${stderr}`);
    else if (stdout !== "") console.warn(stdout.trimEnd());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
