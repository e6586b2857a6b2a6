/**
 * How smoothly a grid of 100,000 images scrolls in a real browser, and what the page takes of memory.
 *
 * npm run build && npx tsx speed/studio-scrolling.ts [images]
 */
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { makeLargeRun } from "./large-run.ts";
import { startBuiltStudio } from "./studio.ts";

const executablePath = "/usr/bin/chromium";
const seconds = 10;
/** CSS pixels per second: reading along, skimming, and flinging from screen to screen. */
const speeds = [600, 3000, 15_000];

interface Frames {
  readonly perSecond: number;
  /** Milliseconds; one frame in a hundred takes longer. */
  readonly slow: number;
}

/** Scrolls at an even speed and looks when frames come. Code that runs in the page is a string: there is no DOM here. */
const scroll = (page: Page, speed: number): Promise<Frames> =>
  page.evaluate<Frames>(`new Promise((resolve) => {
    const grid = document.querySelector(".grid");
    const times = [];
    const step = (now) => {
      times.push(now);
      if (now - times[0] < ${1000 * seconds}) {
        grid.scrollTop = (${speed} * (now - times[0])) / 1000;
        return requestAnimationFrame(step);
      }
      const gaps = times.slice(1).map((time, index) => time - times[index]).sort((a, b) => a - b);
      resolve({ perSecond: (1000 * gaps.length) / (now - times[0]), slow: gaps[Math.floor(0.99 * gaps.length)] });
    };
    requestAnimationFrame(step);
  })`);

/** Megabytes of the process that draws the page; only Linux tells. */
async function memoryOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]) / 1024);
  return Math.round(Math.max(...sizes));
}

async function measure(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "boostcluster-scrolling-"));
  const say = (what: string, value: string): void => console.log(`${what.padEnd(44)}${value}`);
  const { run } = await makeLargeRun(folder, { count });
  const began = performance.now();
  const studio = await startBuiltStudio(run, join(folder, "cache"));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(studio.address);
    await page.locator(".card").first().waitFor();
    say("from start to clusters in the browser", `${Math.round(performance.now() - began)} ms`);
    await page.evaluate('location.hash = "#/all"');
    await page.locator(".tile").first().waitFor();
    for (const speed of speeds) {
      const { perSecond, slow } = await scroll(page, speed);
      say(`scrolling ${speed} px/s`, `${perSecond.toFixed(1)} frames/s, 99 % within ${Math.round(slow)} ms`);
    }
    say("tiles in the page", `${await page.locator(".tile").count()} of ${count}`);
    say("memory of the page", `${await memoryOf(browser)} MB`);
  } finally {
    await browser.close();
    studio.process.kill("SIGINT");
    await once(studio.process, "exit");
    rmSync(folder, { recursive: true });
  }
}

if (existsSync(executablePath)) await measure(Number(process.argv[2] ?? 100_000));
else console.log("scrolling was not measured: install Debian's chromium");
