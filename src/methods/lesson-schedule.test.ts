import { expect, test } from "vitest";
import { lessonSchedule } from "./lesson-schedule.ts";

/** The epochs, from 1, of which it holds. */
const epochsWhere = (epochs: number, holds: (epoch: number) => boolean): number[] =>
  Array.from({ length: epochs }, (_, place) => place + 1).filter(holds);

test.each([
  [8, 6],
  [20, 8],
  [27, 1],
  [5, 0],
])("of %i epochs, %i repairs are as many, evenly apart", (epochs, repairs) => {
  const { begin } = lessonSchedule({ epochs, repairs, warmEpochs: 1 });
  const begins = [1, ...epochsWhere(epochs, begin), epochs + 1];
  const rounds = begins.slice(1).map((next, place) => next - begins[place]);
  expect(rounds).toHaveLength(repairs + 1);
  expect(Math.max(...rounds) - Math.min(...rounds)).toBeLessThanOrEqual(1);
});

test("each lesson is taught first, and the network's own clusters are learned after it", () => {
  const { teach } = lessonSchedule({ epochs: 10, repairs: 1, warmEpochs: 3 });
  expect(epochsWhere(10, teach)).toEqual([1, 2, 3, 6, 7, 8]);
});

test("it does not end before an epoch of the network's own clusters has changed nothing", () => {
  const { mayEnd } = lessonSchedule({ epochs: 10, repairs: 1, warmEpochs: 3 });
  expect(epochsWhere(10, mayEnd)).toEqual([10]);
  const unrepaired = lessonSchedule({ epochs: 5, repairs: 0, warmEpochs: 2 });
  expect(epochsWhere(5, unrepaired.mayEnd)).toEqual([4, 5]);
});
