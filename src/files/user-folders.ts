/** Where the system keeps what can be made again, and where data is looked for. */
import { homedir } from "node:os";
import { join } from "node:path";

/** `XDG_CACHE_HOME` or `~/.cache`, on macOS `~/Library/Caches`, on Windows `%LOCALAPPDATA%`; there, `boostcluster`. */
export function userCacheFolder(platform = process.platform, environment = process.env): string {
  const home = homedir();
  if (platform === "win32")
    return join(environment.LOCALAPPDATA || join(home, "AppData", "Local"), "boostcluster", "Cache");
  if (platform === "darwin") return join(home, "Library", "Caches", "boostcluster");
  return join(environment.XDG_CACHE_HOME || join(home, ".cache"), "boostcluster");
}

/** The environment's `BOOSTCLUSTER_DATA`, or else `data` in the cache folder. */
export const userDataFolder = (): string => process.env.BOOSTCLUSTER_DATA || join(userCacheFolder(), "data");
