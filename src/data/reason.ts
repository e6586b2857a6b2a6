/** One line on why something failed, for messages about files. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && typeof error.code === "string" && error.code in systemReasons)
    return systemReasons[error.code];
  return error.message.split("\n")[0].trim();
}

const systemReasons: Record<string, string> = {
  ENOENT: "it does not exist",
  ENOTDIR: "it does not exist",
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EISDIR: "it is a folder",
  ELOOP: "it links to itself",
};
