/**
 * The pictures of docs/studio.md: screenshots of a studio of handwritten digits, in which something was decided.
 *
 * npm run build
 * node dist/cli/main.js cluster mnist-test -k 10 --out runs/mnist-test
 * npx tsx scripts/studio-pictures.ts runs/mnist-test
 */
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openDataset } from "boostcluster";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { startBuiltStudio } from "../speed/studio.ts";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "boostcluster-pictures-"));
const run = join(folder, "run");
// A copy: the run itself stays undecided.
cpSync(process.argv[2], run, { recursive: true });
rmSync(join(run, "decisions.jsonl"), { force: true });
const studio = await startBuiltStudio(run, join(folder, "cache"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });

const decide = (request: unknown): Promise<Response> => studio.ask("/api/decisions", request);

async function picture(name: string, hash: string, prepare: (page: Page) => Promise<unknown>, options = {}) {
  const wide: BrowserContextOptions = { viewport: { width: 1200, height: 760 }, reducedMotion: "reduce", ...options };
  const page = await browser.newPage(wide);
  await page.goto(`${studio.address}${hash}`);
  await prepare(page);
  await page.evaluate("Promise.all([...document.images].map((image) => image.decode().catch(() => {})))");
  await page.screenshot({ path: join(docs, `studio-${name}.png`) });
  await page.close();
}

const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

const shown = (page: Page, selector: string): Promise<void> => page.locator(selector).first().waitFor();

/** Clusters whose typical images show one digit are called after it. */
const digits = ["zeros", "ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"];
const dataset = await openDataset("mnist-test");
const opening = await browser.newPage();
await opening.goto(studio.address);
const clusters = await opening.evaluate<{ readonly cluster: number; readonly typical: readonly number[] }[]>(
  "fetch('api/studio').then(async (answer) => (await answer.json()).clusters)",
);
await opening.close();
const clusterOf = new Map<number, number>();
for (const { cluster, typical } of clusters) {
  const shownDigits = new Set(typical.map((image) => dataset.labels?.values[image]));
  const [digit = 0] = shownDigits;
  if (shownDigits.size !== 1) continue;
  clusterOf.set(digit, cluster);
  await decide({ kind: "rename", cluster, name: digits[digit] });
}
const [first, second] = clusters.map(({ cluster }) => cluster);

await picture("wall", "#/", async (page) => {
  await shown(page, ".card");
  await press(page, "ArrowRight", "x", "ArrowRight", "x");
});
await picture("cluster", `#/cluster/${first}?order=doubt`, async (page) => {
  await shown(page, ".tile");
  await press(page, "ArrowRight", " ", "ArrowRight", "Shift+ArrowRight", "c", "ArrowDown");
  await page.locator(".badge").first().waitFor();
});
await picture("split", `#/cluster/${second}`, async (page) => {
  await shown(page, ".tile");
  await press(page, "p");
  await shown(page, ".part");
});
await picture("map", "#/map", async (page) => {
  await page.locator(".map-canvas").waitFor({ timeout: 600_000 });
  await page.mouse.move(330, 300);
  await page.waitForTimeout(500);
});
await picture("question", "#/questions", async (page) => {
  await page.locator(".choice").first().waitFor({ timeout: 600_000 });
  await press(page, "s", "s", "s");
});
// As somebody who knows digits would answer.
const questions: readonly { readonly image: number }[] = JSON.parse(
  await (await studio.ask("/api/questions?count=20")).text(),
);
for (const { image } of questions) {
  const to = clusterOf.get(dataset.labels?.values[image] ?? -1);
  if (to !== undefined) await decide({ kind: "move", images: [image], to });
}
await studio.ask("/api/learning/start", {});
await picture("learned", "#/learned", (page) => page.locator(".change").first().waitFor({ timeout: 600_000 }));
await studio.ask("/api/learning/discard", {});
await decide({ kind: "move", images: [17], to: first });
await picture("image", "#/image/17", (page) => shown(page, ".small-map"));
await picture("dark", "#/", (page) => shown(page, ".card"), { colorScheme: "dark" });
await picture("phone", `#/cluster/${first}`, (page) => shown(page, ".tile"), {
  viewport: { width: 375, height: 720 },
  hasTouch: true,
  isMobile: true,
});

await browser.close();
studio.process.kill("SIGINT");
await once(studio.process, "exit");
rmSync(folder, { recursive: true });
