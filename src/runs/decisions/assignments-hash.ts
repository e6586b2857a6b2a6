/** Which assignments a log of decisions is about. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileError } from "../../files/errors.ts";
import { readRecord } from "../run-record.ts";

/** Changes when the run is made again and comes out otherwise: SHA-256, in hexadecimal. */
export function assignmentsHash(run: string): string {
  readRecord(run);
  const path = join(run, "assignments.jsonl");
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch (error) {
    throw fileError("read", path, error);
  }
}
