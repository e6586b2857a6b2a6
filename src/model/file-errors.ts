/** What the file system refuses, told in one line. */
import { InputError } from "../errors.ts";

const reasons: Readonly<Record<"read" | "write", ReadonlyMap<string, string>>> = {
  read: new Map([
    ["ENOENT", "there is no such file"],
    ["ENOTDIR", "a folder in its path is a file"],
    ["EISDIR", "it is a folder; give a file"],
    ["EACCES", "permission denied"],
    ["EPERM", "permission denied"],
  ]),
  write: new Map([
    ["ENOENT", "its folder does not exist; create it"],
    ["ENOTDIR", "a folder in its path is a file; choose another place"],
    ["EISDIR", "it is a folder; choose another name"],
    ["EEXIST", "it is a file; choose another name"],
    ["EACCES", "permission denied; choose another place"],
    ["EPERM", "permission denied; choose another place"],
    ["EROFS", "the file system is read-only; choose another place"],
    ["ENOSPC", "the disk is full; free some space"],
    ["EDQUOT", "your share of the disk is used up; free some space"],
  ]),
};

/** An error of the file system as an InputError, where the caller can do something about it; any other as it is. */
export function fileError(action: "read" | "write", path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = reasons[action].get(code);
  return reason === undefined ? error : new InputError(`cannot ${action} ${path}: ${reason} (${code})`);
}
