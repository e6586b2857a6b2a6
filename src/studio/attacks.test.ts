/** Everything that a page of somebody else, or somebody at the same network, might try. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { savedRun } from "../../test/saved-run.ts";
import { ask, cookieOf, type EventReader, type StudioClient, testStudio } from "../../test/studio-client.ts";
import { openDataset } from "../images/sources/open.ts";
import type { RunningStudio } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-attacks-"));
const images = join(folder, "images");
const cacheFolder = join(folder, "cache");
const hostile = '<img src=x onerror="alert(1)">.png';
let studio: RunningStudio;
let client: StudioClient;

beforeAll(async () => {
  mkdirSync(images);
  mkdirSync(join(folder, "page", "assets"), { recursive: true });
  writeFileSync(join(folder, "page", "index.html"), "<!doctype html><title>studio</title>");
  writeFileSync(join(folder, "page", "assets", "index-1.js"), "export {};");
  writeFileSync(join(folder, "secret.js"), "secret");
  for (let index = 0; index < 12; index++) {
    const background = { r: 20 * index, g: index % 2 === 0 ? 255 : 0, b: 255 - 20 * index };
    const name = index === 3 ? hostile : `${index}.png`;
    await sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toFile(join(images, name));
  }
  const dataset = await openDataset(images, { cacheFolder });
  await savedRun(join(folder, "run"), dataset);
  dataset.close();
  ({ studio, client } = await testStudio(join(folder, "run"), {
    cacheFolder,
    page: join(folder, "page"),
    say: console.error,
  }));
});
afterAll(async () => {
  await studio.close();
  rmSync(folder, { recursive: true });
});

let before: string | undefined;
/** Whatever was tried, the studio answers as before. */
afterEach(async () => {
  const now = JSON.stringify(await client.state());
  before ??= now;
  expect(now).toBe(before);
});

const addresses = [
  "/",
  "/assets/index-1.js",
  "/api/studio",
  "/api/images/0/thumbnail",
  "/api/events",
  "/api/map",
  "/api/questions",
  "/api/contradictions",
  "/api/learning/changes",
];
const posts = [
  "decisions",
  "undo",
  "redo",
  "split-preview",
  "organize",
  "training/start",
  "training/stop",
  "learning/start",
  "learning/stop",
  "learning/accept",
  "learning/discard",
];

test("the page and its files are served to whoever has the token", async () => {
  const page = await client.ask("/");
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect((await client.ask("/assets/index-1.js")).headers["cache-control"]).toContain("immutable");
});

test("without the token, or with another one, nothing is answered", async () => {
  const wrong = [
    undefined,
    "",
    "studio=x",
    client.cookie.slice(0, -1),
    `${client.cookie}x`,
    client.cookie.toUpperCase(),
  ];
  for (const cookie of wrong)
    for (const path of addresses)
      expect((await ask(studio.address, path, { headers: cookie === undefined ? {} : { cookie } })).status).toBe(403);
  for (const path of posts) expect((await ask(studio.address, `/api/${path}`, { body: {} })).status).toBe(403);
  for (const token of ["", "x", "%00", studio.address.slice(-43, -1)]) {
    const { status, headers } = await ask(studio.address, `/?token=${token}`);
    expect([status, headers["set-cookie"]]).toEqual([403, undefined]);
  }
  expect((await ask(studio.address, `/api/studio${new URL(studio.address).search}`)).status).toBe(403);
});

test("the cookie is out of reach of scripts and of other sites, and the token leaves the address", async () => {
  const { pathname, search } = new URL(studio.address);
  const { status, headers } = await ask(studio.address, pathname + search);
  expect([status, headers.location]).toEqual([303, "/"]);
  expect(headers["set-cookie"]?.[0]).toMatch(/^studio-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  // From a link on another site, the redirection would come without the cookie.
  const followed = await ask(studio.address, pathname + search, { headers: { "sec-fetch-site": "cross-site" } });
  expect([followed.status, followed.body.toString()]).toEqual([200, expect.stringContaining("refresh")]);
});

test("a name that points here is refused, and so are pages of other sites", async () => {
  const { port } = new URL(studio.address);
  const foreign = [
    { host: "evil.example" },
    { host: `evil.example:${port}` },
    { host: "127.0.0.1" },
    { host: `127.0.0.1:${Number(port) + 1}` },
    { host: `127.0.0.1.evil.example:${port}` },
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: `https://127.0.0.1:${port}` },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
  ];
  for (const headers of foreign) {
    for (const path of addresses)
      expect((await client.ask(path, { headers })).status, JSON.stringify(headers)).toBe(403);
    const body = { kind: "rename", cluster: 0, name: "evil" };
    expect((await client.ask("/api/decisions", { body, headers })).status).toBe(403);
  }
  for (const site of ["cross-site", "same-site", "none"]) {
    const headers = { "sec-fetch-site": site };
    expect((await client.ask("/api/undo", { body: {}, headers })).status).toBe(403);
  }
  expect((await client.ask("/api/studio", { headers: { host: `localhost:${port}` } })).status).toBe(200);
});

test("no path leads out of what is served", async () => {
  const tricks = [
    ...["../secret.js", "..%2fsecret.js", "%2e%2e/secret.js", "..%5csecret.js", "....//secret.js", "%00"],
    ...["/etc/passwd", "//etc/passwd", "assets/../../secret.js", "assets/..%2f..%2fsecret.js", "index.html%00.js"],
    ...["constructor", "__proto__", "assets", "assets/", "C:%5cwindows%5cwin.ini", "%ff%fe", "%"],
  ];
  for (const trick of tricks)
    for (const path of [`/${trick}`, `/api/${trick}`, `/api/images/${trick}`, `/api/images/${trick}/thumbnail`]) {
      const { status, body } = await client.ask(path);
      expect([400, 404], path).toContain(status);
      expect(body.toString()).not.toContain("secret");
    }
});

test("numbers that are none, or too large, are refused in every parameter", async () => {
  const bad = ["-1", "12", "1e3", "0x1", "1.5", "NaN", "Infinity", "99999999999999999999", "%2e%2e", "1;2", "[]", "'"];
  for (const value of bad) {
    const paths = [
      ...[`/api/images/${value}`, `/api/images/${value}/thumbnail`, `/api/images/${value}/picture`],
      ...[`/api/images?numbers=${value}`, `/api/images?numbers=0,${value}`],
      `/api/clusters/all/images?order=likeness&like=${value}`,
    ];
    for (const path of paths) expect([400, 404], path).toContain((await client.ask(path)).status);
  }
  const queries = ["order=x", "order=likeness", "state=x", "least=x", "least=", "most=Infinity", "order=__proto__"];
  for (const query of queries) expect((await client.ask(`/api/clusters/0/images?${query}`)).status, query).toBe(400);
  for (const cluster of ["-1", "x", "1.5", "%2e%2e", "aside%00"])
    expect([400, 404]).toContain((await client.ask(`/api/clusters/${cluster}/images`)).status);
  expect((await client.ask(`/api/images?numbers=${"0,".repeat(500)}0`)).status).toBe(400);
});

test("malformed and oversized requests are refused, and nothing of them is kept", async () => {
  const bodies: readonly unknown[] = [
    ...["", "{", "null", "[]", '"x"', "1", '{"kind":"rename"}', "\u0000", "{".repeat(100_000)],
    ...[
      { kind: "rename", cluster: 0 },
      { kind: "rename", cluster: "0", name: "x" },
      { kind: "rename", cluster: 0, name: 1 },
    ],
    ...[{ kind: "rename", cluster: 0, name: "x".repeat(201) }, { kind: "delete", images: [0] }, { kind: "__proto__" }],
    ...[
      { kind: "merge", clusters: [0] },
      { kind: "merge", clusters: [0, -1] },
      { kind: "merge", clusters: [0, 0] },
    ],
    ...[
      { kind: "move", images: [], to: 0 },
      { kind: "move", images: [12], to: 0 },
      { kind: "move", images: [0.5], to: 0 },
    ],
    ...[
      { kind: "move", images: [0] },
      { kind: "move", images: [0], to: "0" },
      { kind: "move", images: { length: 1 }, to: 0 },
    ],
    ...[
      { kind: "split", cluster: 0, parts: [] },
      { kind: "split", cluster: 0, parts: [{ images: ["0"] }] },
    ],
    ...[
      { kind: "aside", images: ["../../etc/passwd"] },
      { kind: "confirm", images: null },
    ],
  ];
  for (const body of bodies)
    expect((await client.ask("/api/decisions", { body })).status, JSON.stringify(body).slice(0, 80)).toBe(400);
  const plain = { "content-type": "text/plain" };
  expect((await client.ask("/api/undo", { body: "{}", headers: plain })).status).toBe(415);
  const large = JSON.stringify({ kind: "aside", images: new Array(5_000_000).fill(0) });
  for (const chunked of [false, true]) {
    const path = "/api/split-preview";
    expect([200, 409]).toContain((await client.ask(path, { body: { cluster: 0, parts: 2 }, chunked })).status);
    // The server does not read on, so that the answer may be lost to whoever is still sending.
    const status = await client.ask("/api/decisions", { body: large, chunked }).then(
      (answer) => answer.status,
      () => "broken off",
    );
    expect([413, "broken off"]).toContain(status);
  }
  for (const method of ["PUT", "DELETE", "PATCH", "TRACE"])
    expect([400, 404], method).toContain((await client.ask("/api/studio", { method })).status);
  for (const body of [{}, { k: 0 }, { k: 2, backbone: "../../x" }, { k: 2, seed: -1 }, { k: "auto; rm" }])
    expect((await client.ask("/api/training/start", { body })).status).toBe(400);
  expect((await client.ask("/api/organize", { body: { by: "delete" } })).status).toBe(400);
});

test("a thousand open event streams do not keep the studio from answering", async () => {
  const streams: EventReader[] = [];
  try {
    for (let index = 0; index < 1000; index += 50)
      streams.push(...(await Promise.all(Array.from({ length: 50 }, () => client.listen()))));
    expect((await client.ask("/api/studio")).status).toBe(200);
    // The oldest was closed; the newest hears what happens.
    await expect(streams[0].next(({ kind }) => kind === "training")).rejects.toThrow();
    await expect(streams[999].next(({ kind }) => kind === "state")).resolves.toMatchObject({ kind: "state" });
  } finally {
    for (const stream of streams) stream.close();
  }
}, 60_000);

test("what is not HTTP is answered with an error, and harms nobody", async () => {
  const { port } = new URL(studio.address);
  for (const text of [
    "\0\0\0\0\r\n\r\n",
    `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    "GET / HTTP/1.1\r\n\r\n",
  ]) {
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(text);
    const [first] = await new Promise<string[]>((resolve) => {
      socket.once("data", (data) => resolve(data.toString().split("\r\n")));
    });
    socket.destroy();
    expect(first).toMatch(/^HTTP\/1\.1 4\d\d /);
  }
});

test("names of any characters are data, and answers say that they are no pages", async () => {
  const names = JSON.parse((await client.ask("/api/images?numbers=0,1,2,3,4,5,6,7,8,9,10,11")).body.toString());
  const named = names.find(({ name }: { name: string }) => name === hostile);
  expect(named).toBeDefined();
  const { status, headers } = await client.ask(`/api/images/${named.image}`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "content-security-policy": expect.stringContaining("default-src 'none'; script-src 'self'"),
  });
  expect((await client.ask(`/api/images/${named.image}/thumbnail`)).status).toBe(200);
  const refused = await ask(studio.address, "/api/studio");
  expect(refused.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("a file that was replaced by something else is an image that cannot be shown", async () => {
  writeFileSync(join(images, "7.png"), "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");
  const names: readonly { image: number; name: string }[] = JSON.parse(
    (await client.ask("/api/images?numbers=0,1,2,3,4,5,6,7,8,9,10,11")).body.toString(),
  );
  const image = names.find(({ name }) => name === "7.png")?.image;
  expect((await client.ask(`/api/images/${image}/picture`)).status).toBe(404);
});

test("two studios have different tokens", async () => {
  const other = await testStudio(join(folder, "run"), { cacheFolder });
  try {
    expect(new URL(other.studio.address).search).not.toBe(new URL(studio.address).search);
    expect(
      (await other.client.ask("/api/studio", { headers: { cookie: await cookieOf(studio.address) } })).status,
    ).toBe(403);
  } finally {
    await other.studio.close();
  }
});
