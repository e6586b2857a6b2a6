import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { idx, matHeader, matMatrix, npy, numbers } from "../../../test/array-files.ts";
import { InputError } from "../../files/errors.ts";
import { openDataset } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The message, one line that names the file, with which an array file is refused. */
async function refusal(name: string, content: Uint8Array | string): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, content);
  const error: unknown = await openDataset(file).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  const message = error instanceof Error ? error.message : "";
  expect(message).toContain(name);
  expect(message).not.toContain("\n");
  return message;
}

test("junk is refused in one line that says what was expected", async () => {
  const junk = Buffer.from("This is a letter to my aunt, and it is long enough to be any header. ".repeat(4));
  expect(await refusal("junk-idx3-ubyte", junk)).toContain("not an IDX file");
  expect(await refusal("junk.npy", junk)).toContain("not a .npy file");
  expect(await refusal("junk.npz", junk)).toContain("not a readable .npz file");
  expect(await refusal("junk.mat", junk)).toContain("not a MATLAB level 5 .mat file");
  expect(await refusal("hdf.mat", `MATLAB 7.3 MAT-file${" ".repeat(200)}`)).toContain("7.3");
  expect(await refusal("junk.bin", junk)).toContain("give a folder of images");
  for (const name of ["empty-idx3-ubyte", "empty.npy", "empty.npz", "empty.mat"]) await refusal(name, "");
  const damaged = gzipSync(idx([3, 2, 4], numbers(24))).subarray(0, 30);
  expect(await refusal("damaged-idx3-ubyte.gz", damaged)).toContain("cannot be decompressed");
});

test("headers that promise more than there is are refused before anything is allocated", async () => {
  const most = 2 ** 32 - 1;
  expect(await refusal("huge-idx3-ubyte", idx([most, most, most], numbers(24)))).toContain("the file has 24");
  expect(await refusal("short-idx3-ubyte", idx([4, 2, 4], numbers(24)))).toContain("promises 32 bytes");
  expect(await refusal("cut-idx3-ubyte", idx([4, 2, 4], numbers(24)).subarray(0, 9))).toContain(
    "within its IDX header",
  );
  expect(await refusal("axes-idx9-ubyte", Uint8Array.of(0, 0, 8, 255, 0))).toContain("within its IDX header");
  expect(await refusal("huge.npy", npy("<f8", [1e9, 1e9, 1e9], new Float64Array(3)))).toContain("the file has 24");
  expect(await refusal("fortran.npy", npy("<f8", [1e6, 1e6, 1e6], numbers(8), { fortran: true }))).toContain(
    "promises",
  );
  expect(await refusal("cut.npy", npy("|u1", [3, 2, 4], numbers(24)).subarray(0, 40))).toContain(
    "within its .npy header",
  );
  expect(await refusal("huge.npz", zipSync({ "x.npy": npy("|u1", [1e6, 1e6, 4], numbers(24)) }))).toContain("promises");
  const bomb = Buffer.from(zipSync({ "x.npy": npy("|u1", [3, 2, 4], numbers(24)) }));
  bomb.writeUInt32LE(most, bomb.indexOf("PK\x01\x02", 0, "latin1") + 24);
  expect(await refusal("bomb.npz", bomb)).toContain("bomb.npz");
  const long = Buffer.concat([matHeader, matMatrix("data", [4, 2, 10], numbers(80))]);
  expect(await refusal("cut.mat", long.subarray(0, 200))).toContain("longer than the file");
  expect(
    await refusal("less.mat", Buffer.concat([matHeader, matMatrix("data", [256, 1100, 10], numbers(80))])),
  ).toContain("has 80 values");
});

test("arrays that are not images are refused", async () => {
  expect(await refusal("flat.npy", npy("|u1", [3, 8], numbers(24)))).toContain("3 vectors of 8 numbers, not images");
  expect(await refusal("both.npy", npy("|u1", [2, 3, 2, 3], numbers(36)))).toContain("could both be the channels");
  expect(await refusal("none.npy", npy("|u1", [2, 2, 2, 2], numbers(16)))).toContain("1 or 3 channels");
  expect(await refusal("no.npy", npy("|u1", [0, 2, 2], numbers(0)))).toContain("no pixels");
  expect(await refusal("int.npy", npy("<i8", [1, 1, 1], BigInt64Array.of(1n)))).toContain("not int64");
  expect(await refusal("big.npy", npy(">f4", [1, 1, 1], new Float32Array(1)))).toContain("type >f4");
  expect(await refusal("float-idx3-ubyte", idx([1, 1, 1], numbers(4), 0x0d))).toContain("0xd");
  expect(await refusal("flat.mat", Buffer.concat([matHeader, matMatrix("data", [5, 2, 2], numbers(20))]))).toContain(
    "5 x 2 x 2",
  );
  expect(await refusal("other.mat", Buffer.concat([matHeader, matMatrix("abc", [4, 2, 2], numbers(16))]))).toContain(
    "but abc",
  );
});

test("floats that are not pixels are refused, with the image's number", async () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -0.5, 256]) {
    const values = new Float32Array(12).with(9, bad);
    expect(await refusal("bad.npy", npy("<f4", [3, 2, 2], values))).toContain(`image 2 holds ${bad}`);
    expect(await refusal("bad.npy", npy("<f8", [3, 2, 2], Float64Array.from(values)))).toContain(
      `image 2 holds ${bad}`,
    );
  }
});

test(".npz without one clear array of images, or with other numbers of labels, is refused", async () => {
  const images = npy("|u1", [3, 2, 4], numbers(24));
  expect(await refusal("c.npz", zipSync({ "a.npy": images, "b.npy": images }))).toContain("holds a, b; call");
  expect(await refusal("d.npz", zipSync({}))).toContain("holds no arrays");
  expect(await refusal("e.npz", zipSync({ "x.npy": images, "y.npy": npy("|u1", [2], numbers(2)) }))).toContain(
    "2 labels",
  );
});
