/** The studio in a real browser, as a person uses it: from a folder of images to clusters that were corrected. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { undoMoves } from "../src/export/organize/move-journal.ts";
import { counted } from "../src/numeric/format.ts";
import type { StudioState } from "../src/studio/api.ts";
import { nodeArguments } from "./command-line.ts";
import { writeShapeFolder } from "./image-folder.ts";

const executablePath = "/usr/bin/chromium";
const installed = existsSync(executablePath);
if (!installed) console.warn("the studio was not opened in a browser: install Debian's chromium");
const inBrowser = test.runIf(installed);

const folder = mkdtempSync(join(tmpdir(), "boostcluster-studio-"));
const images = join(folder, "shapes");
const pageFolder = join(folder, "page");
const count = 160;
/** Harmless as a text, and only as that. */
const wickedName = "<img src=x onerror=alert(1)>.png";
let browser: Browser | undefined;
let studio: Studio | undefined;

interface Studio {
  readonly address: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

async function startStudio(subject: string): Promise<Studio> {
  const script = fileURLToPath(new URL("studio-process.mjs", import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [...nodeArguments(), script, subject, pageFolder], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("the studio says nothing");
  const [address] = await once(createInterface(child.stdout), "line");
  return {
    address: String(address),
    kill: async (signal) => {
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}

beforeAll(async () => {
  if (!installed) return;
  await writeShapeFolder(images, count);
  renameSync(join(images, "group0", "0.png"), join(images, "group0", wickedName));
  const root = fileURLToPath(new URL("../src/studio/page", import.meta.url));
  await build({ root, logLevel: "error", build: { outDir: pageFolder } });
  studio = await startStudio(images);
  // Tests in a container run as root, for whom the browser has no sandbox.
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  await studio?.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

interface OpenedPage {
  readonly page: Page;
  /** Errors, and requests to anyone else. */
  readonly faults: string[];
}

async function openStudio(hash = "#/", options: BrowserContextOptions = {}): Promise<OpenedPage> {
  if (browser === undefined || studio === undefined) throw new Error("there is no browser");
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, reducedMotion: "reduce", ...options });
  const { address } = studio;
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => faults.push(`a script ran: ${dialog.message()}`));
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (origin !== new URL(address).origin && origin !== "null") faults.push(request.url());
  });
  await page.goto(`${address}${hash}`);
  return { page, faults };
}

// Code that runs in the page is a string: the tests are compiled without the DOM.

const stateOf = (page: Page): Promise<StudioState> =>
  page.evaluate("fetch('api/studio').then((answer) => answer.json())");

/** What was decided, whatever happened on the way there. */
async function decided(page: Page): Promise<unknown> {
  const { clusters, aside, confirmed, moved } = await stateOf(page);
  const assignments = await page.evaluate<number[]>(
    "fetch('api/assignments').then(async (answer) => [...new Int32Array(await answer.arrayBuffer())])",
  );
  return { clusters, aside, confirmed, moved, assignments };
}

/** As the wall shows them. */
const cardTexts = async (page: Page): Promise<string[]> =>
  (await page.locator(".card").allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());

/** Until the page has said that it was done. */
const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator(".toast-text", { hasText: text }).waitFor();

const focused = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`);

async function openFirstCluster(page: Page): Promise<void> {
  await page.keyboard.press("1");
  // The focus may be on the cluster that was looked at last.
  await page.locator(".card h2 a").first().focus();
  await page.keyboard.press("Enter");
  await page.locator(".tile").first().waitFor();
  await expect.poll(() => focused(page, ".grid")).toBe(true);
}

inBrowser("a folder is clustered from the page, which shows how it goes, and ends with its clusters", async () => {
  const { page, faults } = await openStudio();
  await page.getByRole("heading", { name: "shapes" }).waitFor();
  await page.getByLabel("this many:").check();
  await page.getByLabel("Number of clusters").fill("6");
  await page.getByLabel("Looks at images with").selectOption("none");
  await page.getByLabel(/Quick/).check();
  await page.getByRole("button", { name: "Cluster them" }).click();
  await page.getByRole("progressbar", { name: "Training" }).waitFor();
  // Close the tab and come back: it is still there.
  await page.reload();
  await page.locator(".card, progress").first().waitFor();
  await page.locator(".card").first().waitFor({ timeout: 300_000 });
  const { phase, clusters } = await stateOf(page);
  expect(phase).toBe("run");
  expect(clusters.reduce((sum, { size }) => sum + size, 0)).toBe(count);
  expect(await page.locator(".card").count()).toBe(clusters.length);
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser(
  "clusters are corrected by keyboard, all of it undone and done again, and nothing is lost by a kill",
  async () => {
    const { page, faults } = await openStudio();
    await page.locator(".card").first().waitFor();
    const before = await decided(page);

    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("r");
    await page.keyboard.type("<b>bars & frames</b>");
    await page.keyboard.press("Enter");
    await said(page, "is now “<b>bars & frames</b>”");
    expect(await focused(page, ".card h2 a")).toBe(true);

    const numberBefore = await page.locator(".card").count();
    for (const key of ["ArrowRight", "x", "ArrowRight", "x", "ArrowRight", "x", "m"]) await page.keyboard.press(key);
    await said(page, "merged");
    await expect.poll(() => page.locator(".card").count()).toBe(numberBefore - 2);

    await openFirstCluster(page);
    await page.keyboard.press("p");
    await page.locator(".part").nth(1).waitFor();
    await page.getByLabel("Name of part 2").fill("a part");
    await page.getByRole("button", { name: "Split", exact: true }).click();
    await said(page, "split in 2");

    await openFirstCluster(page);
    await page.keyboard.press(" ");
    for (let step = 1; step < 20; step++) await page.keyboard.press("Shift+ArrowRight");
    expect(await page.getByRole("toolbar").textContent()).toContain("20 images");
    await page.keyboard.press("m");
    await page.keyboard.type("twenty of them");
    await page.keyboard.press("Enter");
    await said(page, "20 images moved to the new cluster “twenty of them”");
    expect(await focused(page, ".grid")).toBe(true);

    await page.keyboard.press("a");
    await said(page, "1 image put aside");
    await page.keyboard.press("c");
    await said(page, "1 image confirmed");
    const after = await decided(page);
    expect(after).toMatchObject({ aside: 1, confirmed: 1 });
    await page.keyboard.press("1");
    const cards = await cardTexts(page);
    expect(cards.join()).toContain("twenty of them 20 images");

    while ((await stateOf(page)).undo !== undefined) {
      await page.keyboard.press("Control+z");
      await said(page, /^Undone/);
      await page.getByLabel("Close this message").click();
    }
    expect(await decided(page)).toEqual(before);
    while ((await stateOf(page)).redo !== undefined) {
      await page.keyboard.press("Control+Shift+Z");
      await said(page, /^Done again/);
      await page.getByLabel("Close this message").click();
    }
    expect(await decided(page)).toEqual(after);
    await page.reload();
    await expect.poll(() => cardTexts(page)).toEqual(cards);
    expect(faults).toEqual([]);
    await page.close();

    await studio?.kill("SIGKILL");
    const [run] = readdirSync(join(folder, "runs"));
    studio = await startStudio(join(folder, "runs", run));
    const again = await openStudio();
    await expect.poll(() => cardTexts(again.page)).toEqual(cards);
    expect(await decided(again.page)).toEqual(after);
    expect(again.faults).toEqual([]);
    await again.page.close();
  },
);

inBrowser("by mouse: images are selected, moved, put aside and taken back; a second tab sees it", async () => {
  const [{ page, faults }, other] = [await openStudio("#/all"), await openStudio("#/aside")];
  const asideBefore = (await stateOf(page)).aside;
  await page.locator(".tile").nth(2).click();
  await page
    .locator(".tile")
    .nth(5)
    .click({ modifiers: ["Shift"] });
  await page.getByRole("toolbar").getByRole("button", { name: "Put aside" }).click();
  await said(page, "4 images put aside");
  await expect.poll(() => other.page.locator(".tile").count()).toBe(asideBefore + 4);
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await said(page, /^Undone/);
  await expect.poll(() => other.page.locator(".tile").count()).toBe(asideBefore);
  await other.page.locator(".tile").first().click();
  await other.page.getByRole("button", { name: "Take back" }).click();
  await said(other.page, "1 image taken back");
  await other.page.getByText("Nothing was put aside.").waitFor();
  expect([...faults, ...other.faults]).toEqual([]);
  await page.close();
  await other.page.close();
});

inBrowser("an image is shown with what the model says, and its like can be found; names are text", async () => {
  const { page, faults } = await openStudio("#/all", { viewport: { width: 1200, height: 2600 } });
  const name = page.getByRole("option", { name: wickedName });
  await name.dblclick();
  await page.getByRole("heading", { name: wickedName }).waitFor();
  await page.getByText("The model says").waitFor();
  const address = page.url();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.url()).not.toBe(address);
  await page.getByRole("button", { name: "More like this" }).waitFor();
  await page.keyboard.press("l");
  await page.getByRole("heading", { name: "Images like this one" }).waitFor();
  await expect.poll(() => page.locator(".tile").count()).toBeGreaterThan(20);
  await page.goBack();
  await page.getByText("The model says").waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser("images are filtered by name, and Escape leads from one of them back to where it was opened", async () => {
  const { page, faults } = await openStudio("#/all");
  await page.locator(".tile").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("ONERROR");
  await expect.poll(() => page.locator(".tile").count()).toBe(1);
  expect(await focused(page, "[type=search]")).toBe(true);
  const listing = page.url();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("The model says").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.url()).toBe(listing);
  // Without a place to go back to, there is the image's cluster.
  await page.evaluate("location.hash = '#/image/3'");
  await page.reload();
  await page.getByText("The model says").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.url()).toContain("#/cluster/");
  expect(faults).toEqual([]);
  await page.close();
});

/** Controls that a screen reader could not name. */
const nameless = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll("button, a, input, select, dialog, canvas, [role]")]
    .filter((element) => !["status", "alert", "presentation"].includes(element.getAttribute("role")))
    .filter((element) => {
      const labelled = document.getElementById(element.getAttribute("aria-labelledby") ?? "");
      const labels = [...(element.labels ?? [])].map((label) => label.textContent).join("");
      const own = element.matches("input, select, [role=listbox], dialog, canvas") ? "" : element.textContent;
      return ![element.getAttribute("aria-label"), labelled?.textContent, labels, own].some((name) => name?.trim());
    })
    .filter((element) => element.closest("a[aria-label]") === null)
    .map((element) => element.outerHTML.slice(0, 120))`);

const phone = { viewport: { width: 375, height: 720 }, hasTouch: true, isMobile: true } as const;

const fits = async (page: Page): Promise<void> => {
  expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBe(0);
};

inBrowser("questions are answered by keys; what is learned of it is seen, accepted and undone as one", async () => {
  const { page, faults } = await openStudio();
  await page.locator(".card").first().waitFor();
  const undecided = await decided(page);
  await page.keyboard.press("t");
  await page.locator(".choice").first().waitFor({ timeout: 60_000 });
  const place = page.locator(".place");
  const total = Number((await place.textContent())?.split(" of ")[1]);
  // Three answers as fast as anybody types, the last of them taken back.
  for (const key of ["2", "1", "n", "u"]) await page.keyboard.press(key);
  await expect.poll(async () => (await stateOf(page)).undo).toContain("confirmed 1 image");
  await expect.poll(() => place.textContent()).toBe(`3 of ${total}`);
  await fits(page);
  for (let question = 3; question <= total; question++) await page.keyboard.press(question === 4 ? " " : "s");
  await page.getByRole("heading", { name: "Thank you: 2 answers" }).waitFor();
  const answered = await decided(page);
  expect(answered).not.toEqual(undecided);

  // It is stopped, then the studio is killed while it learns: answers are there, and it can learn again.
  await page.keyboard.press("l");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Nothing was learned" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("progressbar", { name: "Learning" }).waitFor();
  await page.close();
  await studio?.kill("SIGKILL");
  const [run] = readdirSync(join(folder, "runs"));
  studio = await startStudio(join(folder, "runs", run));
  const again = await openStudio();
  await again.page.getByRole("button", { name: "Learn from this" }).click();
  await again.page.locator(".changes").waitFor({ timeout: 300_000 });
  expect(await decided(again.page)).toEqual(answered);
  const { learned = 0 } = await stateOf(again.page);
  expect(learned).toBeGreaterThan(0);
  await again.page.locator(".pick").first().click();
  const left = again.page.getByText(`${learned - 1} of ${counted(learned, "image")}`);
  await left.waitFor();
  await again.page.locator(".pick").first().click();
  await left.waitFor({ state: "detached" });
  await again.page.setViewportSize(phone.viewport);
  await fits(again.page);
  expect(await nameless(again.page)).toEqual([]);
  await again.page.keyboard.press("Control+Enter");
  await said(again.page, `${counted(learned, "image")} follow what was learned`);
  await again.page.keyboard.press("Control+z");
  await said(again.page, /^Undone: let \d+ images? follow what was learned/);
  await again.page.reload();
  await again.page.locator(".card").first().waitFor();
  expect(await decided(again.page)).toEqual(answered);

  // Two clusters that may be one are asked about as well.
  const [a, b] = (await stateOf(again.page)).clusters;
  const question = { kind: "clusters", clusters: [a.cluster, b.cluster], examples: [a.typical, b.typical] };
  await again.page.route("**/api/questions*", (route) => route.fulfill({ json: [question, question] }));
  await again.page.keyboard.press("t");
  await again.page.getByRole("heading", { name: "Are these the same?" }).waitFor();
  await fits(again.page);
  expect(await nameless(again.page)).toEqual([]);
  await again.page.keyboard.press("n");
  await expect.poll(async () => (await stateOf(again.page)).undo).toContain("do not belong together");
  await again.page.keyboard.press("y");
  await expect.poll(async () => (await stateOf(again.page)).undo).toContain("merged");
  await again.page.keyboard.press("u");
  await expect.poll(async () => (await stateOf(again.page)).undo).toContain("do not belong together");
  expect([...faults, ...again.faults]).toEqual([]);
  await again.page.close();
});

inBrowser("folders are shown before they are made, and what was made is told afterwards", async () => {
  const { page, faults } = await openStudio();
  await page.getByRole("button", { name: "Organize…" }).click();
  await page.getByRole("radio", { name: /^Move/ }).check();
  await page.getByText("twenty of them/").waitFor();
  await page.getByRole("button", { name: "Move the images" }).click();
  const dialog = page.getByRole("dialog", { name: "Organized" });
  await dialog.getByText("boostcluster organize --undo").waitFor();
  const out = await dialog.locator("code").first().textContent();
  await page.keyboard.press("Escape");
  // The originals are shown from where they are now.
  await page.reload();
  await page.locator(".card").first().waitFor();
  await expect
    .poll(() => page.evaluate<boolean>("[...document.images].every((image) => image.naturalWidth > 0)"))
    .toBe(true);
  expect(undoMoves(out ?? "")).toBe(count);
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser("on the map a lasso selects images", async () => {
  const { page, faults } = await openStudio("#/map");
  const canvas = page.locator(".map-canvas");
  await canvas.waitFor({ timeout: 120_000 });
  const box = await canvas.boundingBox();
  if (box === null) throw new Error("the map is not visible");
  const [left, top, right, bottom] = [box.x + 9, box.y + 9, box.x + box.width - 9, box.y + box.height - 60];
  await page.keyboard.down("Shift");
  await page.mouse.move(left, top);
  await page.mouse.down();
  for (const [x, y] of [
    [right, top],
    [right, bottom],
    [left, bottom],
  ])
    await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.getByRole("toolbar").waitFor();
  const [selected] = /\d+/.exec((await page.getByRole("toolbar").textContent()) ?? "") ?? [];
  expect(Number(selected)).toBeGreaterThan(20);
  await page.keyboard.press("Escape");
  await page.getByRole("toolbar").waitFor({ state: "detached" });
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser.each<[string, BrowserContextOptions]>([
  ["wide and light", {}],
  ["wide and dark", { colorScheme: "dark" }],
  ["a phone", phone],
])("%s: every view fits, in the right colours, and every control has a name", async (_, options) => {
  const { page, faults } = await openStudio("#/", options);
  await page.locator(".card").first().waitFor();
  const { clusters } = await stateOf(page);
  const question = { kind: "image", image: 3, candidates: clusters.map(({ cluster }) => cluster), speaksFor: 12 };
  // Looking for questions takes long, and was tried before.
  await page.route("**/api/questions*", (route) => route.fulfill({ json: [question] }));
  for (const [hash, shown] of [
    ["#/", ".card"],
    [`#/cluster/${clusters[0].cluster}`, ".tile"],
    ["#/image/3", ".answers"],
    ["#/map", ".map-canvas"],
    ["#/questions", ".choice"],
    ["#/aside", ".empty"],
  ]) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.locator(shown).first().waitFor();
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), hash).toBe(0);
    expect(await nameless(page), hash).toEqual([]);
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  expect(await nameless(page)).toEqual([]);
  const dark = options.colorScheme === "dark";
  expect(await page.evaluate<string>("getComputedStyle(document.body).backgroundColor")).toBe(
    dark ? "rgb(23, 23, 27)" : "rgb(255, 255, 255)",
  );
  expect(faults).toEqual([]);
  await page.close();
});
