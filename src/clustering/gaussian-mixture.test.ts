import { expect, test } from "vitest";
import { gaussian } from "../../test/blobs.ts";
import { accuracy } from "../metrics/external.ts";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { kMeansClusters } from "./clusters.ts";
import { type Mixture, mixtureFrom, mixtureFromRandom } from "./gaussian-mixture.ts";

const k = 3;

/** Groups side by side, longer than the way to the next, and askew. */
function elongated(count: number): { readonly samples: Matrix; readonly labels: Int32Array } {
  const random = new Random(2, "elongated");
  const labels = Int32Array.from({ length: count }, (_, sample) => sample % k);
  const rows = Array.from(labels, (label) => {
    const along = 2 * gaussian(random);
    return [along + gaussian(random) / 4, along + 5 * label + gaussian(random) / 4];
  });
  return { samples: matrix(Float32Array.from(rows.flat()), 2), labels };
}

const { samples, labels } = elongated(300);

function likeliest({ responsibilities }: Mixture): Int32Array {
  return Int32Array.from({ length: responsibilities.length / k }, (_, row) => {
    const own = responsibilities.subarray(row * k, (row + 1) * k);
    return own.indexOf(Math.max(...own));
  });
}

test("elongated groups, which k-means cuts, are found from any start", async () => {
  const cut = await kMeansClusters(samples, { k, restarts: 10, threads: 1 });
  expect(accuracy(labels, cut.labels)).toBeLessThan(0.8);
  for (let seed = 0; seed < 5; seed++) {
    const mixture = mixtureFromRandom(samples, new Random(seed, "start"), { k });
    expect(accuracy(labels, likeliest(mixture))).toBeGreaterThan(0.99);
    const [xx, xy, yx, yy] = mixture.covariance;
    expect(xy).toBeCloseTo(yx, 10);
    expect(xy / Math.sqrt(xx * yy)).toBeGreaterThan(0.8);
  }
});

test("a few samples of each component are enough to place the others", () => {
  const known = labels.map((label, sample) => (sample < 30 ? label : -1));
  for (const rounds of [1, 50]) {
    const mixture = mixtureFrom(samples, known, { k, rounds });
    expect(accuracy(labels, likeliest(mixture))).toBeGreaterThan(0.99);
    for (let row = 0; row < samples.rows; row++) {
      const own = mixture.responsibilities.subarray(row * k, (row + 1) * k);
      expect(own.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 5);
    }
  }
});

test("columns beyond those that are looked at have no say", () => {
  const longer = matrix(
    Float32Array.from({ length: 3 * samples.rows }, (_, place) =>
      place % 3 === 2 ? 1000 * Math.sin(place) : samples.values[2 * Math.floor(place / 3) + (place % 3)],
    ),
    3,
  );
  const start = () => new Random(1, "start");
  const whole = mixtureFromRandom(samples, start(), { k });
  expect(mixtureFromRandom(longer, start(), { k, columns: 2 })).toEqual(whole);
});

test.each([
  ["all the same", () => 3],
  ["all zero", () => 0],
  ["of three kinds", (place: number) => 10 * Math.floor(place / 40)],
])("samples that are %s give probabilities", (_, valueAt) => {
  const same = matrix(
    Float32Array.from({ length: 120 }, (_, place) => valueAt(place)),
    4,
  );
  const { responsibilities } = mixtureFromRandom(same, new Random(0, "start"), { k });
  for (let row = 0; row < same.rows; row++) {
    const own = responsibilities.subarray(row * k, (row + 1) * k);
    expect(own.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 5);
  }
});
