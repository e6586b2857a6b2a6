import { expect, test } from "vitest";
import { cellsOf, planBenchmark } from "./plan.ts";

const nine = ["kms", "dae-kms", "aec", "iec", "dec", "den", "dcn", "fcae-kms", "dbc"];

const namesOf = (plan: ReturnType<typeof planBenchmark>): Record<string, readonly string[]> =>
  Object.fromEntries(plan.datasets.map(({ name, methods }) => [name, methods]));

test("the default plan is the paper's 21 cells, in its order, with seed 0 and perhaps two more", () => {
  const plan = planBenchmark({}, nine);
  expect(namesOf(plan)).toEqual({
    mnist: ["kms", "dae-kms", "aec", "iec", "dcn", "dec", "fcae-kms", "dbc"],
    usps: ["kms", "aec", "iec", "fcae-kms", "dbc"],
    "coil-20": ["kms", "den", "fcae-kms", "dbc"],
    "coil-100": ["kms", "iec", "fcae-kms", "dbc"],
  });
  expect(plan.datasets.flatMap(({ methods }) => methods)).toHaveLength(21);
  expect(plan).toMatchObject({ seeds: [0], seedsIfFast: [1, 2], effort: "paper" });
});

test("datasets, methods and seeds can be chosen; all methods run where the paper has no table", () => {
  expect(namesOf(planBenchmark({ datasets: ["usps", "some/where/flowers"] }, nine))).toEqual({
    usps: ["kms", "aec", "iec", "fcae-kms", "dbc"],
    flowers: nine,
  });
  expect(Object.keys(namesOf(planBenchmark({ methods: ["dbc"] }, nine)))).toHaveLength(4);
  const plan = planBenchmark({ datasets: ["usps"], methods: ["kms", "dbc"], seeds: [4, 7], effort: "quick" }, nine);
  expect([...cellsOf(plan.datasets[0], plan)]).toEqual([
    { dataset: "usps", method: "kms", effort: "quick", seed: 4 },
    { dataset: "usps", method: "dbc", effort: "quick", seed: 4 },
    { dataset: "usps", method: "kms", effort: "quick", seed: 7 },
    { dataset: "usps", method: "dbc", effort: "quick", seed: 7 },
  ]);
});

test("a folder with the name of a set is not taken for it", () => {
  expect(namesOf(planBenchmark({ datasets: ["./mnist"] }, nine))).toEqual({ "mnist-folder": nine });
});

test("bad input is refused in one line", () => {
  expect(() => planBenchmark({ methods: ["dbc", "magic"] }, nine)).toThrow(
    'there is no method "magic"; there are: kms,',
  );
  expect(() => planBenchmark({ seeds: [0, -1] }, nine)).toThrow("a seed is a whole number from 0, not -1");
  expect(() => planBenchmark({ datasets: ["a/photos", "b/photos"] }, nine)).toThrow(
    'b/photos: another dataset is also called "photos"; rename one of them',
  );
});
