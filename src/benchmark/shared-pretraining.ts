/**
 * The auto-encoders of a benchmark, so that methods that begin with the same one (DAE-KMS, DEC and DCN; FCAE-KMS and
 * DBC) train it once. What it took counts for each of them.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { PretrainedStore } from "../methods/pretrained.ts";
import { fileCheckpoints } from "../model/checkpoint-file.ts";
import { historyFromNote, historyNote } from "../model/fitted.ts";
import { makeFolder } from "../model/folders.ts";
import type { TimedCheckpoints } from "../model/timed-checkpoints.ts";

const folderOf = (out: string): string => join(out, "pretrained");

export function sharedPretraining(out: string, time: TimedCheckpoints): PretrainedStore {
  const file = (key: string) => fileCheckpoints(join(folderOf(out), `${key}.safetensors`));
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

export const removeSharedPretraining = (out: string): void => rmSync(folderOf(out), { recursive: true, force: true });
