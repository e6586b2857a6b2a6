import { expect, test } from "vitest";
import type { TrainingEvent } from "../studio/training/progress-events.ts";
import { clusterSamples, JsonProgress } from "./json-progress.ts";

function told(use: (progress: JsonProgress, wait: (milliseconds: number) => void) => void): readonly TrainingEvent[] {
  let [time, text] = [0, ""];
  const output = {
    write: (chunk: string) => {
      text += chunk;
      return true;
    },
  };
  use(new JsonProgress({ output, clock: () => time }), (milliseconds) => {
    time += milliseconds;
  });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const plan = { kind: "plan", stages: [{ stage: "clustering", epochs: 4, batches: 10, batch: 8 }] } as const;
const epoch = { kind: "epoch", stage: "clustering", epochs: 4, loss: 0.5, changed: 0.25 } as const;

test("each line is an event, with how far everything is and how long it will take", () => {
  const events = told((progress, wait) => {
    progress.show(plan);
    for (const number of [1, 2]) {
      wait(3000);
      progress.show({ ...epoch, epoch: number });
    }
    progress.show({ kind: "warning", message: "mind\nthe line break" });
  });
  expect(events.map(({ kind }) => kind)).toEqual(["plan", "epoch", "epoch", "warning"]);
  expect(events[2]).toMatchObject({ epoch: 2, loss: 0.5, changed: 0.25, share: 0.5, secondsLeft: 6 });
});

test("steps and batches are told now and then, their last always", () => {
  const events = told((progress, wait) => {
    for (let done = 1; done <= 1000; done++) {
      progress.step("reading images", done, 1000);
      wait(1);
    }
  });
  expect(events.length).toBeLessThan(10);
  expect(events.at(-1)).toEqual({ kind: "step", name: "reading images", done: 1000, total: 1000 });
});

test("clusters are told by their sizes and the images with the highest scores", () => {
  const scores = Float32Array.of(0.9, 0.1, 0.2, 0.8, 0.6, 0.4, 0.95, 0.05);
  expect(clusterSamples(scores, 2)).toEqual([
    { size: 3, images: [3, 0, 2] },
    { size: 1, images: [1] },
  ]);
});
