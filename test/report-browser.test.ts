/** The report in a real browser, as a person opens it: from the disk. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentsOf } from "../src/report/contents.ts";
import { renderPage } from "../src/report/page.ts";
import { subjectOf } from "../src/report/subject.ts";
import { firstTwo, madeUpRun } from "./reported-run.ts";
import { shapeDataset } from "./shapes.ts";

const executablePath = "/usr/bin/chromium";
const installed = existsSync(executablePath);
if (!installed) console.warn("the report was not opened in a browser: install Debian's chromium");
const inBrowser = test.runIf(installed);

const folder = mkdtempSync(join(tmpdir(), "boostcluster-browser-"));
const file = join(folder, "report.html");
const count = 120;
let browser: Browser | undefined;

beforeAll(async () => {
  if (!installed) return;
  const dataset = { ...shapeDataset(count), itemName: (index: number) => `<b>${index}</b>.png` };
  const subject = subjectOf(madeUpRun(join(folder, "run"), dataset, { k: 4 }), dataset);
  writeFileSync(file, renderPage(await contentsOf(subject, { points: count, command: undefined, embed: firstTwo })));
  // Tests in a container run as root, for whom the browser has no sandbox.
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

interface OpenedPage {
  readonly page: Page;
  /** Errors, and requests for anything but the file. */
  readonly faults: readonly string[];
}

async function openReport(options: BrowserContextOptions = {}): Promise<OpenedPage> {
  if (browser === undefined) throw new Error("there is no browser");
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, reducedMotion: "reduce", ...options });
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (url !== pathToFileURL(file).href && !url.startsWith("data:")) faults.push(url);
  });
  await page.goto(pathToFileURL(file).href);
  await page.locator("#map-canvas").scrollIntoViewIfNeeded();
  await page.locator("#map-legend button").first().waitFor();
  await expect.poll(async () => (await inkOf(page, "#map-canvas")).inked).toBeGreaterThan(0);
  return { page, faults };
}

// Code that runs in the page is a string: the tests are compiled without the DOM.

interface Ink {
  /** Pixels that are not transparent. */
  readonly inked: number;
  /** The number of their colours. */
  readonly colours: number;
}

const inkOf = (page: Page, canvas: string): Promise<Ink> =>
  page.evaluate<Ink>(`(() => {
    const canvas = document.querySelector("${canvas}");
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const inked = [...new Uint32Array(pixels.buffer)].filter((colour) => colour >>> 24 > 0);
    return { inked: inked.length, colours: new Set(inked).size };
  })()`);

const backgroundOf = (page: Page): Promise<string> =>
  page.evaluate<string>("getComputedStyle(document.body).backgroundColor");

async function mapData(page: Page) {
  return JSON.parse((await page.locator("#map-data").textContent()) ?? "");
}

/** Where a point of the map is on the screen. */
async function pointOnScreen(page: Page, point: number): Promise<{ x: number; y: number }> {
  const box = await page.locator("#map-canvas").boundingBox();
  if (box === null) throw new Error("the map is not visible");
  const { places } = await mapData(page);
  const at = (start: number, side: number, place: number): number =>
    start + side / 2 + (place / 4095 - 0.5) * (side - 36);
  return { x: at(box.x, box.width, places[2 * point]), y: at(box.y, box.height, places[2 * point + 1]) };
}

/** The words beside the pointer: name, cluster and label. */
const tipLines = async (page: Page): Promise<string[]> =>
  ((await page.locator("#map-tip p").textContent()) ?? "").split("\n");

const cardTitle = (page: Page): Promise<string | null> => page.locator("#map-card h3").textContent();
const cardCount = (page: Page): Promise<number> => page.locator("#map-card .card").count();

inBrowser("the report opens from disk, requests nothing else, and shows every image", async () => {
  const { page, faults } = await openReport();
  const widths = await page.evaluate<number[]>(
    "Promise.all([...document.images].map((image) => image.decode().then(() => image.naturalWidth)))",
  );
  expect(widths.length).toBeGreaterThan(60);
  expect(Math.min(...widths)).toBeGreaterThan(0);
  expect((await inkOf(page, "#map-canvas")).colours).toBeGreaterThan(4);
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser("pointing at a dot shows its image, its name, its cluster and its label", async () => {
  const { page, faults } = await openReport();
  expect(await page.locator("#map-tip").isVisible()).toBe(false);
  const { x, y } = await pointOnScreen(page, 17);
  await page.mouse.move(x, y);
  await page.locator("#map-tip").waitFor();
  const lines = await tipLines(page);
  expect(lines).toEqual([
    expect.stringMatching(/^image <b>\d+<\/b>\.png$/),
    expect.stringMatching(/^cluster \d, score \d\.\d\d$/),
    expect.stringMatching(/^label shape \d$/),
  ]);
  const { names, clusters } = await mapData(page);
  expect(lines[1]).toContain(`cluster ${clusters.values[names.indexOf(lines[0])]},`);
  expect((await inkOf(page, "#map-tip canvas")).colours).toBeGreaterThan(20);
  await page.mouse.move(2, 2);
  await page.locator("#map-tip").waitFor({ state: "hidden" });
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser(
  "clicking a dot shows its cluster; clicking again, Escape, or a click beside the dots shows all",
  async () => {
    const { page, faults } = await openReport();
    const { x, y } = await pointOnScreen(page, 5);
    await page.mouse.click(x, y);
    const { names, clusters } = await mapData(page);
    const cluster = clusters.values[names.indexOf((await tipLines(page))[0])];
    expect(await cardTitle(page)).toBe(`Cluster ${cluster}`);
    expect(await page.locator('#map-legend button[aria-pressed="true"]').textContent()).toBe(String(cluster));
    await page.mouse.click(x, y);
    expect(await cardCount(page)).toBe(0);
    await page.mouse.click(x, y);
    await page.keyboard.press("Escape");
    expect(await cardCount(page)).toBe(0);
    await page.locator("#map-legend button").nth(2).focus();
    await page.keyboard.press("Enter");
    expect(await cardTitle(page)).toBe("Cluster 2");
    await page.locator("#map-canvas").click({ position: { x: 3, y: 3 } });
    expect(await cardCount(page)).toBe(0);
    await page.locator("#cluster-3 .to-map").click();
    expect(await cardTitle(page)).toBe("Cluster 3");
    expect(faults).toEqual([]);
    await page.close();
  },
);

inBrowser("colours can follow the labels; the map zooms and moves by wheel and keys", async () => {
  const { page, faults } = await openReport();
  const whole = await inkOf(page, "#map-canvas");
  await page.locator("input[value=labels]").check();
  expect(await page.locator("#map-legend").textContent()).toContain("shape 0");
  await page.locator("#map-legend button").first().click();
  expect(await cardCount(page)).toBe(0);
  await page.keyboard.press("Escape");
  await page.locator("#map-canvas").focus();
  for (const key of ["+", "+", "ArrowLeft", "-"]) await page.keyboard.press(key);
  await page.locator("#map-canvas").hover();
  await page.mouse.wheel(0, -200);
  await expect.poll(async () => (await inkOf(page, "#map-canvas")).inked).not.toBe(whole.inked);
  await page.locator("input[value=clusters]").check();
  await page.locator("#map-all").click();
  await expect.poll(() => inkOf(page, "#map-canvas")).toEqual(whole);
  expect(faults).toEqual([]);
  await page.close();
});

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true } as const;

inBrowser.each<[string, BrowserContextOptions]>([
  ["wide and light", {}],
  ["wide and dark", { colorScheme: "dark" }],
  ["a phone", phone],
  ["a phone, dark", { ...phone, colorScheme: "dark" }],
])("%s: everything fits, in the right colours", async (_, options) => {
  const { page, faults } = await openReport(options);
  expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  expect(await backgroundOf(page)).toBe(options.colorScheme === "dark" ? "rgb(23, 23, 27)" : "rgb(255, 255, 255)");
  if (options.hasTouch) {
    const { x, y } = await pointOnScreen(page, 3);
    await page.touchscreen.tap(x, y);
    await page.locator("#map-card .card").waitFor();
    expect(await page.locator("#map-tip").isVisible()).toBe(true);
  }
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser("a printed report is light and has no controls", async () => {
  const { page } = await openReport({ colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  for (const control of ["nav", ".map-tools", ".to-map", ".switch"])
    expect(await page.locator(control).first().isVisible(), control).toBe(false);
  expect(await backgroundOf(page)).toBe("rgb(255, 255, 255)");
  await page.close();
});
