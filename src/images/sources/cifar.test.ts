import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { boostcluster } from "../../../test/command-line.ts";
import { readBytes } from "../../files/bytes.ts";
import { userDataFolder } from "../../files/user-folders.ts";
import { cifarTest, cifarTraining, findCifar, openCifar } from "./cifar.ts";
import { fetchNamedSet } from "./named-sets.ts";
import { openDataset } from "./open.ts";

const temporary = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(temporary, { recursive: true }));

test("a record is a label, then a picture", () => {
  const folder = join(temporary, "made");
  mkdirSync(folder);
  const content = Uint8Array.from({ length: 30_730_000 }, (_, at) => (at % 3073 === 0 ? (at / 3073) % 10 : at % 251));
  writeFileSync(join(folder, "test_batch.bin"), content);
  const { records, labels } = openCifar(folder, cifarTest);
  expect(records).toMatchObject({ count: 10_000, image: { channels: 3, height: 32, width: 32 } });
  expect(labels?.names.slice(0, 4)).toEqual(["airplane", "automobile", "bird", "cat"]);
  expect([...(labels?.values.slice(0, 12) ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1]);
  expect(readBytes(records.bytes, 3072 * 7, 3072).equals(content.subarray(3073 * 7 + 1, 3073 * 8))).toBe(true);
  writeFileSync(join(folder, "test_batch.bin"), content.subarray(1));
  expect(() => openCifar(folder, cifarTest)).toThrow(/test_batch.bin: has 30729999 bytes, not 30730000/);
});

test("where the set is absent, the one command that gets it is said", async () => {
  const dataFolder = join(temporary, "nothing");
  await expect(openDataset("cifar-10", { dataFolder })).rejects.toThrow(
    'cifar-10: this set is not here; call fetchNamedSet("cifar-10")',
  );
  const { stderr, status } = boostcluster(["cluster", "cifar-10-test", "-k", "10", "--data-folder", dataFolder]);
  expect(stderr).toContain('cifar-10-test: this set is not here; run "boostcluster data --fetch cifar-10"');
  expect(status).toBe(2);
});

test("what cannot be fetched is refused, with what can", async () => {
  await expect(fetchNamedSet("imagenet")).rejects.toThrow('there is no set "imagenet" to fetch; there are: cifar-10');
  await expect(fetchNamedSet("usps", { dataFolder: temporary })).rejects.toThrow(/^usps: this set cannot be fetched/);
});

const here = findCifar(userDataFolder());
if (here === undefined) console.warn("skipped: tests on the pictures of CIFAR-10: it has not been fetched");
else
  test("the real set has 6,000 pictures of each class, and begins with a frog", async () => {
    const dataset = await openDataset("cifar-10");
    const counts = new Array<number>(10).fill(0);
    for (const label of dataset.labels?.values ?? []) counts[label]++;
    expect(counts).toEqual(new Array(10).fill(6000));
    expect(dataset.labels?.names[dataset.labels.values[0]]).toBe("frog");
    expect(openCifar(here, cifarTraining).records.count).toBe(50_000);
  });
