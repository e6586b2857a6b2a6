/** The slider of coarser and finer groups in a real browser. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentsOf } from "../src/report/contents.ts";
import { renderPage } from "../src/report/page.ts";
import { subjectOf } from "../src/report/subject.ts";
import { firstTwo } from "./reported-run.ts";
import { structuredRun } from "./saved-run.ts";
import { shapeDataset } from "./shapes.ts";

const executablePath = "/usr/bin/chromium";
const installed = existsSync(executablePath);
if (!installed) console.warn("the slider was not moved in a browser: install Debian's chromium");
const inBrowser = test.runIf(installed);

const folder = mkdtempSync(join(tmpdir(), "boostcluster-slider-"));
const file = join(folder, "report.html");
let browser: Browser | undefined;

beforeAll(async () => {
  if (!installed) return;
  const dataset = { ...shapeDataset(120), itemName: (index: number) => `<b>${index}</b>.png` };
  const subject = subjectOf(await structuredRun(join(folder, "run"), dataset), dataset);
  writeFileSync(file, renderPage(await contentsOf(subject, { points: 120, command: undefined, embed: firstTwo })));
  // Tests in a container run as root, for whom the browser has no sandbox.
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function openReport(options: BrowserContextOptions = {}): Promise<{ page: Page; faults: readonly string[] }> {
  if (browser === undefined) throw new Error("there is no browser");
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(pathToFileURL(file).href);
  await page.locator("#level").waitFor();
  return { page, faults };
}

const titles = (page: Page): Promise<string[]> => page.locator("#clusters .card:visible h3").allTextContents();

const clusters = ["Cluster 0", "Cluster 1", "Cluster 2", "Cluster 3"];

inBrowser("arrow keys on the slider show finer and coarser groups, and back the clusters", async () => {
  const { page, faults } = await openReport();
  expect(await titles(page)).toEqual(clusters);
  await page.locator("#level").focus();
  await page.keyboard.press("ArrowRight");
  expect(await page.locator("#level-number").inputValue()).toBe("5");
  const finer = await titles(page);
  expect(finer).toHaveLength(5);
  expect(finer.filter((title) => /^Cluster \d\.[12]$/.test(title))).toHaveLength(2);
  await page.keyboard.press("ArrowLeft");
  expect(await titles(page)).toEqual(clusters);
  await page.keyboard.press("ArrowLeft");
  expect((await titles(page)).filter((title) => /^Clusters \d\+\d$/.test(title))).toHaveLength(1);
  expect(await page.locator("#level-note").textContent()).toContain("3 groups");
  await page.locator("#level-clusters").click();
  expect(await titles(page)).toEqual(clusters);
  expect(await page.evaluate<string>("document.activeElement.id")).toBe("level");
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser("a number can be typed, and is kept within what there is", async () => {
  const { page, faults } = await openReport();
  const number = page.locator("#level-number");
  const most = Number(await number.getAttribute("max"));
  await number.fill("1000");
  await number.press("Enter");
  expect(await titles(page)).toHaveLength(most);
  await number.fill("");
  await number.press("Enter");
  expect(await titles(page)).toEqual(clusters);
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser("on a phone the slider fits, every image is drawn, and a card of the map stays a cluster's", async () => {
  const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true } as const;
  const { page, faults } = await openReport({ ...phone, colorScheme: "dark" });
  await page.locator("#level-number").fill("8");
  await page.locator("#level-number").press("Enter");
  expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  await expect
    .poll(() =>
      page.evaluate<number>(
        `[...document.querySelectorAll("#level-cards img")].filter((image) => !image.naturalWidth).length`,
      ),
    )
    .toBe(0);
  await page.locator("#map-legend button").nth(1).click();
  expect(await page.locator("#map-card h3").textContent()).toBe("Cluster 1");
  expect(faults).toEqual([]);
  await page.close();
});

inBrowser("on paper there is no slider", async () => {
  const { page } = await openReport();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("#levels").isVisible()).toBe(false);
  expect(await titles(page)).toEqual(clusters);
  await page.close();
});
