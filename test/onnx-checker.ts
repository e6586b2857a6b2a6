/**
 * Runs in every test file: each model that its tests run is validated by the checker of the `onnx` package (Debian's
 * python3-onnx), which knows the standard and nothing of our code.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, vi } from "vitest";
import { Session } from "../src/engine/session.ts";

const python = "/usr/bin/python3";
const installed = spawnSync(python, ["-c", "import onnx"]).status === 0;
const models = new Set<Uint8Array>();

const open = Session.open;
vi.spyOn(Session, "open").mockImplementation((program, options) => {
  models.add(program.model);
  return open.call(Session, program, options);
});

/** A model of somebody else's may be newer than the checker. */
const script = `
import sys, onnx
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
  if (!installed) {
    console.warn(`${models.size} models were not validated by the ONNX checker: install Debian's python3-onnx`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "boostcluster-models-"));
  try {
    const paths = [...models].map((model, index) => {
      const path = join(folder, `${index}.onnx`);
      writeFileSync(path, model);
      return path;
    });
    const notes = execFileSync(python, ["-c", script, ...paths], { stdio: "pipe", encoding: "utf8" });
    if (notes !== "") console.warn(notes.trimEnd());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
