/** The files of decisions in the folder of a run. */
export const decisionsFile = "decisions.jsonl";
export const decisionsLock = "decisions.lock";
export const keysFile = "images.sha256";
