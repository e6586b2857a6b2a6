/** A process that moves the images of a run, or moves them back, and kills itself before some operation on files. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { undoMoves } from "../src/export/organize/move-journal.ts";
import { organize } from "../src/export/organize/organize.ts";
import { organizePlan } from "../src/export/organize/plan.ts";

const [, , run, out, operations, undo] = process.argv;
let left = Number(operations);

const counted =
  <Args extends readonly unknown[], Result>(operation: (...args: Args) => Result) =>
  (...args: Args): Result => {
    if (left-- === 0) process.kill(process.pid, "SIGKILL");
    return operation(...args);
  };

const plan = undo === undefined ? await organizePlan(run, { by: "move", out }) : undefined;
fs.linkSync = counted(fs.linkSync);
fs.rmSync = counted(fs.rmSync);
fs.renameSync = counted(fs.renameSync);
fs.rmdirSync = counted(fs.rmdirSync);
syncBuiltinESMExports();
if (plan === undefined) undoMoves(out);
else organize(plan);
