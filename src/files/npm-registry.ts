/**
 * The npm registry, through the client that npm itself uses and with the user's settings of npm: registries of scopes,
 * credentials, proxies, certificates, from `.npmrc` files and `npm_config_…` in the environment. Whoever can install
 * packages can fetch from here.
 */
import { dirname, join } from "node:path";
import { codeOf, InputError, reasonOf } from "./errors.ts";

export class NpmRegistry {
  readonly #settings: Readonly<Record<string, unknown>>;

  private constructor(settings: Readonly<Record<string, unknown>>) {
    this.#settings = settings;
  }

  /** Reads the settings, as npm would in this folder. */
  static async open(): Promise<NpmRegistry> {
    const { default: Config } = await import("@npmcli/config");
    const { default: npm } = await import("@npmcli/config/lib/definitions/index.js");
    // Settings are written to the environment of npm's own scripts; ours is left alone.
    const env = { ...process.env };
    const config = new Config({ ...npm, npmPath: npmFolder(), argv: [process.execPath], env, cwd: process.cwd() });
    await config.load();
    // Without npm's cache: what is fetched here is large, and kept elsewhere.
    return new NpmRegistry({ ...config.flat, cache: undefined });
  }

  /** The address of the tarball of one version of a package. */
  async tarballOf(name: string, version: string, signal?: AbortSignal): Promise<string> {
    const path = name.replace("/", "%2f");
    const headers = { accept: "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*" };
    const response = await this.get(path, { package: name, headers, signal });
    const address = tarballIn(await response.json(), version);
    if (address === undefined)
      throw new InputError(
        `${name}: the npm registry ${await this.#registryOf(name)} has no version ${version}; ${settingsAdvice}`,
      );
    return this.#ownAddress(address, await this.#registryOf(name));
  }

  /** Asks for an address, or for a path of the registry that has the package. Credentials go only where they belong. */
  async get(address: string, request: RegistryRequest): Promise<RegistryResponse> {
    const { package: name, headers, signal } = request;
    const { default: fetch } = await import("npm-registry-fetch");
    signal?.throwIfAborted();
    try {
      return await abortable(fetch(address, { ...this.#settings, spec: name, headers }), signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      throw registryError(name, await this.#registryOf(name), error);
    }
  }

  async #registryOf(name: string): Promise<string> {
    const { default: fetch } = await import("npm-registry-fetch");
    return fetch.pickRegistry(name, this.#settings);
  }

  /** A mirror may hand on addresses of the registry that it mirrors; npm has a setting for that. */
  async #ownAddress(address: string, registry: string): Promise<string> {
    const { default: fetch } = await import("npm-registry-fetch");
    const { replaceRegistryHost: setting } = this.#settings;
    const { hostname, pathname } = new URL(address);
    const replaced = setting === "npmjs" ? new URL(fetch.pickRegistry("npm", {})).hostname : setting;
    return replaced === "always" || replaced === hostname ? registry.replace(/\/$/, "") + pathname : address;
  }
}

export interface RegistryResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> & { destroy(error?: unknown): void };
  json(): Promise<unknown>;
}

export interface RegistryRequest {
  readonly package: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** The registry answered, but not with what was asked for; or nothing was heard of it (then without a status). */
export class RegistryError extends InputError {
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined, cause: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

const settingsAdvice = 'look at registry, proxy, https-proxy and cafile in "npm config list"';

function registryError(name: string, registry: string, error: unknown): RegistryError {
  const status =
    error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
      ? error.statusCode
      : undefined;
  const reason = status === undefined ? networkReason(error) : `HTTP ${status}`;
  const problem =
    status === undefined
      ? `could not be reached (${reason}); check the network, and ${settingsAdvice}`
      : status === 401 || status === 403
        ? `refused access (${reason}); check your credentials with "npm whoami", and ${settingsAdvice}`
        : status === 404
          ? `does not have this package (${reason}); ${settingsAdvice}`
          : `failed (${reason}); try again later, or ${settingsAdvice}`;
  return new RegistryError(`${name}: the npm registry ${withoutCredentials(registry)} ${problem}`, status, error);
}

/** The system's code, such as ENOTFOUND; the client's own word, such as request-timeout, where there is none. */
function networkReason(error: unknown): string {
  const code = codeOf(error);
  if (code === "FETCH_ERROR" && error instanceof Error && "type" in error) return String(error.type);
  return code === "" ? reasonOf(error) : code;
}

/** Some people have their password in the registry's address. */
function withoutCredentials(registry: string): string {
  const { origin, pathname } = new URL(registry);
  return `${origin}${pathname}`;
}

/** Where npm is beside Node. It has settings of its own there, on Windows the place of the global ones. */
const npmFolder = (): string =>
  process.platform === "win32"
    ? join(dirname(process.execPath), "node_modules", "npm")
    : join(dirname(process.execPath), "..", "lib", "node_modules", "npm");

function tarballIn(packument: unknown, version: string): string | undefined {
  const address = ["versions", version, "dist", "tarball"].reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? Object.entries(value).find(([k]) => k === key)?.[1] : undefined,
    packument,
  );
  return typeof address === "string" ? address : undefined;
}

/** The client takes no signal. What it still answers afterwards is not listened to. */
async function abortable(
  answer: Promise<RegistryResponse>,
  signal: AbortSignal | undefined,
): Promise<RegistryResponse> {
  if (signal === undefined) return answer;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    if (signal.aborted)
      answer.then(
        ({ body }) => body.destroy(),
        () => undefined,
      );
  }
}
