import { expect, expectTypeOf, test } from "vitest";
import type { Images, Labels } from "../../images/dataset.ts";
import type { Question } from "../../methods/dbc/ask.ts";
import type { SeenImages } from "../../methods/dbc/learned.ts";
import type { Action, Decision } from "../../runs/decisions/decision.ts";
import { type Decided, foldDecisions } from "../../runs/decisions/fold-decisions.ts";
import { baseRun } from "./base-run.ts";
import { comparisonsIn } from "./comparisons.ts";
import { Lesson } from "./lesson.ts";
import { type Person, SimulatedPerson } from "./simulated-person.ts";
import { randomQuestions, tellingQuestions } from "./variants.ts";

/**
 * Forty images in four clusters of ten. Clusters 0 and 1 are apples, but for a pear in each; 2 is pears; 3 is more
 * apples than plums, but its typical images, which come last, are plums. Of quinces there is one, in cluster 2.
 */
const names = ["apple", "pear", "plum", "quince"];
const clusterOf = (image: number): number => Math.floor(image / 10);
const values = Int32Array.from({ length: 80 }, (_, image) => {
  if (image >= 60) return 2;
  if (image >= 30) return 0;
  if (image === 25) return 3;
  return image >= 20 || image % 10 === 0 ? 1 : 0;
});
const labels: Labels = { names, values };
const keys = Array.from({ length: 80 }, (_, image) => String(image));
const assignments = Int32Array.from({ length: 80 }, (_, image) => Math.min(3, clusterOf(image)));
const model = { k: 4, keys, assignments };
const scores = Float32Array.from({ length: 80 }, (_, image) => 0.5 + image / 200);

const imageQuestion = (image: number): Question => ({ kind: "image", image, candidates: [], speaksFor: 1 });
const clustersQuestion = (one: number, other: number, examples: [number[], number[]]): Question => ({
  kind: "clusters",
  clusters: [one, other],
  examples,
});

/** Asks one after another, and remembers. */
class Asked {
  readonly actions: Action[] = [];
  readonly person: Person;

  constructor(wrong = 0, seed = 0) {
    this.person = new SimulatedPerson(labels, { keys, scores }, { seed, name: "test", wrong });
  }

  get decided(): Decided {
    const decisions = this.actions.map((action, index): Decision => ({ number: index + 1, at: "", ...action }));
    return foldDecisions(decisions, model);
  }

  ask(question: Question): Action {
    const action = this.person.answer(question, this.decided);
    this.actions.push(action);
    return action;
  }
}

test("what is in the right cluster is confirmed, the rest is moved there", () => {
  const asked = new Asked();
  expect(asked.ask(imageQuestion(22))).toMatchObject({ kind: "confirm", images: ["22"], of: { cluster: 2 } });
  expect(asked.ask(imageQuestion(10))).toMatchObject({ kind: "move", images: ["10"], to: { cluster: 2 } });
});

test("a cluster is what its typical images are, and of several the largest stands for a class, ever after", () => {
  const asked = new Asked();
  // Cluster 3 has 30 apples and 20 plums, and the typical ones are plums.
  expect(asked.ask(imageQuestion(70))).toMatchObject({ kind: "confirm", of: { cluster: 3 } });
  expect(asked.ask(imageQuestion(45))).toMatchObject({ kind: "move", to: { cluster: 0 } });
  for (const image of [1, 2, 3, 4, 5]) expect(asked.ask(imageQuestion(image)).kind).toBe("confirm");
  expect(asked.ask(imageQuestion(15))).toMatchObject({ kind: "move", to: { cluster: 0 } });
});

test("a class that no cluster is gets a new one, once", () => {
  const asked = new Asked();
  expect(asked.ask(imageQuestion(25))).toMatchObject({ kind: "move", images: ["25"], to: { cluster: 4 } });
  expect(asked.decided.cluster[25]).toBe(4);
  expect(asked.ask(imageQuestion(25))).toMatchObject({ kind: "confirm", of: { cluster: 4 } });
});

test("clusters of one class are merged, and what stood for the second stands for the first", () => {
  const asked = new Asked();
  expect(asked.ask(imageQuestion(1))).toMatchObject({ kind: "confirm", of: { cluster: 0 } });
  const same = asked.ask(
    clustersQuestion(1, 0, [
      [11, 12, 10],
      [1, 2],
    ]),
  );
  expect(same).toMatchObject({ kind: "merge", into: { cluster: 1 }, from: [{ cluster: 0 }] });
  expect(asked.ask(imageQuestion(2))).toMatchObject({ kind: "confirm", of: { cluster: 1 } });
  // By now both are one.
  expect(asked.ask(clustersQuestion(1, 0, [[11], [1]]))).toEqual({ kind: "same", images: ["11", "1"] });
});

test("clusters of two classes are told apart by an image of each that is still there", () => {
  const asked = new Asked();
  expect(asked.ask(clustersQuestion(0, 2, [[1], [22]]))).toEqual({ kind: "different", images: ["1", "22"] });
});

/** The cluster that each image was put into, or confirmed in. */
const placesBy = ({ actions }: Asked): (number | undefined)[] =>
  actions.map((action) => {
    if (action.kind === "move") return action.to.cluster;
    return action.kind === "confirm" ? action.of?.cluster : undefined;
  });

test("about a tenth of the answers are those of another class, the same ones with the same seed", () => {
  const [right, often, again, always] = [new Asked(), new Asked(0.1), new Asked(0.1), new Asked(1)];
  for (const one of [right, often, again, always]) for (const image of keys.keys()) one.ask(imageQuestion(image));
  const wrongIn = (asked: Asked): number => {
    const places = placesBy(right);
    return placesBy(asked).filter((place, index) => place !== places[index]).length;
  };
  expect(wrongIn(often)).toBeGreaterThanOrEqual(4);
  expect(wrongIn(often)).toBeLessThanOrEqual(14);
  expect(wrongIn(always)).toBe(keys.length);
  expect(again.actions).toEqual(often.actions);
  expect(new Asked(1).ask(clustersQuestion(0, 2, [[1], [22]])).kind).toBe("merge");
});

test("no label reaches anything but the person, by type", () => {
  expectTypeOf<Images>().not.toHaveProperty("labels");
  expectTypeOf<Person>().not.toHaveProperty("labels");
  expectTypeOf(baseRun).parameter(0).toEqualTypeOf<Images>();
  expectTypeOf(comparisonsIn).parameter(0).toEqualTypeOf<Pick<SeenImages, "joint">>();
  expectTypeOf(tellingQuestions).parameter(0).toEqualTypeOf<Images>();
  expectTypeOf(randomQuestions).parameter(0).toEqualTypeOf<Images>();
  expectTypeOf(Lesson).constructorParameters.toExtend<[Images, ...unknown[]]>();
});
