import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster, type Outcome } from "../../test/command-line.ts";
import { onnxModel } from "../../test/onnx-models.ts";
import { meansModel, stretched, writeColours, writeFiles } from "../../test/tiny-backbones.ts";
import { readRecord } from "../runs/run-record.ts";
import { offeredBackbone } from "./offered-backbone.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-offered-"));
const images = join(folder, "colours");
const [bare, equipped] = [join(folder, "bare"), join(folder, "equipped")];

beforeAll(async () => {
  await writeColours(images, 24);
  for (const name of ["mobilenet", "resnet-50"])
    writeFiles(join(equipped, "backbones", name), {
      "onnx/model.onnx": onnxModel(meansModel("embedding")),
      "preprocessor_config.json": stretched,
      "config.json": {},
    });
});

afterAll(() => rmSync(folder, { recursive: true }));

const offer = "these look like photographs, which a pretrained network sorts far better";
const quick = ["--epochs", "1", "--pretrain-epochs", "1", "--auto-encoders", "1", "--threads", "1"];
let runs = 0;

function cluster(cacheFolder: string, ...args: string[]): Outcome & { readonly out: string } {
  const out = join(folder, `run ${runs++}`);
  const outcome = boostcluster(["cluster", images, "-k", "3", "--out", out, "--cache-folder", cacheFolder, ...args]);
  expect(outcome.status, outcome.stderr).toBe(0);
  return { ...outcome, out };
}

/** The command that the report tells, given again. */
function again(out: string, cacheFolder: string): string {
  const [, words] =
    /<code>boostcluster (cluster [^<]*)<\/code>/.exec(readFileSync(join(out, "report.html"), "utf8")) ?? [];
  const made = join(folder, `run ${runs++}`);
  const { status, stderr } = boostcluster([
    ...words.split(" "),
    "--out",
    made,
    "--cache-folder",
    cacheFolder,
    "--no-report",
  ]);
  expect(status, stderr).toBe(0);
  return made;
}

const isSameModel = (a: string, b: string): boolean =>
  readFileSync(join(a, "model.onnx")).equals(readFileSync(join(b, "model.onnx")));

test("without a backbone, and nobody to ask: one line with the command, and pixels are clustered", () => {
  const { stderr, out } = cluster(bare, ...quick);
  const lines = stderr.split("\n").filter((line) => line.includes(offer));
  expect(lines).toEqual([`${offer}; get one with: boostcluster backbone add mobilenet`]);
  expect(existsSync(join(bare, "backbones"))).toBe(false);
  expect(readRecord(out)).toMatchObject({ settings: { backbone: "none" }, architecture: { image: { height: 20 } } });
  // Someone who has added one by then gets the same run all the same.
  expect(isSameModel(again(out, equipped), out)).toBe(true);
});

test("what was added is used, the best of it, and it is said", () => {
  const { stderr, out } = cluster(equipped, "--epochs", "1", "--threads", "1");
  expect(stderr).toContain("looking at the images with resnet-50 (embedding, 3 numbers)");
  expect(stderr).not.toContain(offer);
  expect(readRecord(out)).toMatchObject({ settings: { backbone: "resnet-50" }, backbone: { name: "resnet-50" } });
  expect(isSameModel(again(out, equipped), out)).toBe(true);
});

test.each([[["--backbone", "none", ...quick]], [["--preset", "paper", ...quick]], [["--method", "kms"]]])(
  "%j gets no backbone unasked, and hears of none",
  (args) => {
    const { stderr, out } = cluster(equipped, ...args, "--no-report");
    expect(stderr).not.toMatch(/looking at the images|photographs/);
    expect(readRecord(out).backbone).toBeUndefined();
  },
);

test("other methods take the backbone that they are given", () => {
  const { out } = cluster(equipped, "--method", "kms", "--backbone", "mobilenet", "--no-report");
  expect(readRecord(out)).toMatchObject({ method: "kms", backbone: { name: "mobilenet" } });
});

/** Someone at a terminal, who says so much. */
async function asked(cacheFolder: string, answer: string | undefined, signal = new AbortController().signal) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  const lines: string[] = [];
  const display = { line: (text: string) => void lines.push(text), step: () => {}, end: () => {} };
  input.end(answer);
  const chosen = await offeredBackbone(cacheFolder, { signal }, display, { input, output });
  return { chosen, lines, question: String(output.read() ?? "") };
}

test.each(["n\n", "No\n", undefined])("at a terminal it is asked once, and %j is remembered", async (answer) => {
  const cacheFolder = join(folder, `asked ${answer?.trim()}`);
  const first = await asked(cacheFolder, answer);
  expect(first.question).toMatch(
    /photographs\. .*\nFetch mobilenet now, 65 MiB from your npm registry\? .* \[Y\/n\] $/,
  );
  expect(first).toMatchObject({
    chosen: undefined,
    lines: ["going on without; later: boostcluster backbone add mobilenet"],
  });
  const second = await asked(cacheFolder, "y\n");
  expect(second).toMatchObject({ chosen: undefined, question: "", lines: [expect.stringContaining(offer)] });
});

test("at a terminal, what was added is used without a question", async () => {
  expect(await asked(equipped, "n\n")).toMatchObject({ chosen: "resnet-50", question: "", lines: [] });
});

test("someone who interrupts has not answered", async () => {
  const cacheFolder = join(folder, "interrupted");
  await expect(asked(cacheFolder, "n\n", AbortSignal.abort())).rejects.toThrow(/abort/i);
  expect(existsSync(cacheFolder)).toBe(false);
});
