/** A process that decides as fast as it can, and says which decisions are on the disk, until it is killed. */
import { writeSync } from "node:fs";
import { DecisionLog } from "../src/runs/decisions/decision-log.ts";

const log = await DecisionLog.open(process.argv[2], { write: true });
for (;;) {
  const name = String(log.decisions.length + 1);
  const { number } = log.append({ kind: "rename", of: { cluster: 0, examples: [] }, name });
  writeSync(1, `${number}\n`);
}
