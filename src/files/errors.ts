/** What can go wrong, and how it is told: in one line that names the file or option and says what to do. */

/**
 * Something the caller gave is wrong: a shape, a name, an option, a file.
 *
 * The message is one line, names what is wrong and says what to do. The command line prints it and exits with 2;
 * every other error is a fault of the program or of the machine.
 */
export class InputError extends Error {
  override readonly name = "InputError";
  /** The option that it is about, by the library's name; the shell knows its own. */
  readonly option: string | undefined;

  constructor(message: string, { option, ...rest }: InputErrorOptions = {}) {
    super(message, rest);
    this.option = option;
  }
}

export interface InputErrorOptions extends ErrorOptions {
  readonly option?: string;
}

/** The user stopped the work. The message says what was kept. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

/** A file is not what its format demands, or no longer. */
export class DamagedFileError extends InputError {}

interface SystemReason {
  readonly read: string;
  /** Default: what reading says. */
  readonly write?: string;
}

/** What the file system refuses, by the system's own code. */
const systemReasons: Readonly<Record<string, SystemReason>> = {
  ENOENT: { read: "it does not exist", write: "its folder does not exist; create it" },
  ENOTDIR: { read: "a folder in its path is a file", write: "a folder in its path is a file; choose another place" },
  EISDIR: { read: "it is a folder", write: "it is a folder; choose another name" },
  EEXIST: { read: "it exists already", write: "it is a file; choose another name" },
  ELOOP: { read: "it links to itself" },
  EACCES: { read: "permission denied", write: "permission denied; choose another place" },
  EPERM: { read: "permission denied", write: "permission denied; choose another place" },
  EROFS: { read: "the disk is read-only", write: "the disk is read-only; choose another place" },
  ENOSPC: { read: "the disk is full", write: "the disk is full; free some space" },
  EDQUOT: { read: "the disk quota is used up", write: "the disk quota is used up; free some space" },
};

/** The system's code of an error, such as ENOENT; empty where it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** Why something failed, as part of a sentence. */
export function reasonOf(error: unknown): string {
  const known = systemReasons[codeOf(error)];
  if (known !== undefined) return known.read;
  return error instanceof Error ? error.message.split("\n")[0].trim() : String(error);
}

/** An error of the file system as an InputError, where the caller can do something about it; any other as it is. */
export function fileError(action: "read" | "write", path: string, error: unknown): unknown {
  const code = codeOf(error);
  const known = systemReasons[code];
  if (known === undefined) return error;
  return new InputError(`cannot ${action} ${path}: ${known[action] ?? known.read} (${code})`);
}
