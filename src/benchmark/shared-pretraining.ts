/**
 * The auto-encoders of a benchmark, shared so that methods that start from the same one (DAE-KMS, DEC and DCN; FCAE-KMS
 * and DBC) train it once. Its time counts for each of them.
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/atomic.ts";
import type { PretrainedStore } from "../methods/training/pretrained.ts";
import { fileCheckpoints } from "../runs/checkpoint-file.ts";
import { historyFromNote, historyNote } from "../runs/fitted.ts";
import type { TimedCheckpoints } from "../runs/timed-checkpoints.ts";

const folderOf = (out: string): string => join(out, "pretrained");

export function sharedPretraining(out: string, time: TimedCheckpoints): PretrainedStore {
  const file = (key: string) => fileCheckpoints(join(folderOf(out), `${digest(key)}.safetensors`));
  return {
    load(key) {
      const found = file(key).load();
      if (found === undefined) {
        time.beginPart(key);
        return undefined;
      }
      time.add(Number(found.notes.seconds));
      const { parameters, statistics } = found.vectors;
      return { parameters, statistics, history: historyFromNote(found.notes.history) };
    },
    save(key, { parameters, statistics, history }) {
      makeFolder(folderOf(out));
      file(key).save({
        notes: { history: historyNote(history), seconds: time.partSeconds() },
        vectors: { parameters, statistics },
      });
    },
  };
}

const digest = (key: string): string => createHash("sha256").update(key).digest("hex");

export const removeSharedPretraining = (out: string): void => rmSync(folderOf(out), { recursive: true, force: true });
