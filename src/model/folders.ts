/** Folders to write into. */
import { mkdirSync } from "node:fs";
import { fileError } from "./file-errors.ts";

/** Makes a folder, and those above it; returns the first one that was not there before, if any. */
export function makeFolder(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw fileError("write", folder, error);
  }
}
