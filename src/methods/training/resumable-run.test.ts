import { expect, test, vi } from "vitest";
import { StoppingStore } from "../../../test/stopping-store.ts";
import { ResumableRun } from "./resumable-run.ts";

const vectors = (value: number) => ({ values: Float32Array.of(value) });
const making = (value: number) => vi.fn(async () => vectors(value));
const steady = () => new StoppingStore(undefined, -1);

/** What a later process finds. */
const later = (store: StoppingStore): ResumableRun => new ResumableRun(new StoppingStore(store.last, -1));

test("work is done once, and gives again what it left", async () => {
  const run = new ResumableRun();
  const [work, again] = [making(1), making(2)];
  expect(await run.once("first", work)).toEqual(vectors(1));
  expect(await run.once("first", again)).toEqual(vectors(1));
  expect(work).toHaveBeenCalledTimes(1);
  expect(again).not.toHaveBeenCalled();
});

test("a later process skips what is done, and does the rest", async () => {
  const store = steady();
  const run = new ResumableRun(store);
  await run.once("first", making(1));
  await run.once("second", making(2));
  const [first, second, third] = [making(-1), making(-2), making(3)];
  const next = later(store);
  expect(await next.once("first", first)).toEqual(vectors(1));
  expect(await next.once("second", second)).toEqual(vectors(2));
  expect(await next.once("third", third)).toEqual(vectors(3));
  expect([first, second, third].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
});

test("work that fails is not done", async () => {
  const store = steady();
  const run = new ResumableRun(store);
  const failing = async () => {
    throw new Error("no memory");
  };
  await expect(run.once("first", failing)).rejects.toThrow("no memory");
  expect(store.last).toBeUndefined();
  expect(await run.once("first", making(1))).toEqual(vectors(1));
});

test("what is forgotten is not kept, and would be done again", async () => {
  const store = steady();
  const run = new ResumableRun(store);
  await run.once("layer", making(1));
  run.forget(["layer"]);
  await run.once("whole", making(2));
  expect(Object.keys(store.last?.vectors ?? {})).toEqual(["whole: values"]);
  const work = making(3);
  expect(await later(store).once("layer", work)).toEqual(vectors(3));
});

test("an unfinished training comes back as it was left, and only that one", async () => {
  const store = steady();
  const run = new ResumableRun(store);
  await run.once("first", making(1));
  run.history.push({ stage: "clustering", epoch: 1, loss: 0.5, changed: 0.25 });
  const state = {
    epochs: 3,
    trainer: { step: 42, vectors: { parameters: Float32Array.of(1, 2) } },
    carried: { labels: Float32Array.of(0, 1, 1) },
  };
  run.save("second", state);
  expect(run.unfinished("second")).toBeUndefined();
  const next = later(store);
  expect(next.unfinished("second")).toEqual(state);
  expect(next.unfinished("first")).toBeUndefined();
  expect(next.history).toEqual(run.history);
  expect(await next.once("first", making(-1))).toEqual(vectors(1));
});

test("work knows its own history, whichever process made it", async () => {
  const entry = (epoch: number) => ({ stage: "auto-encoder" as const, epoch, loss: 1 / epoch });
  const state = { epochs: 1, trainer: { step: 1, vectors: {} }, carried: {} };
  const store = steady();
  const run = new ResumableRun(store);
  run.history.push(entry(1));
  const stopped = run.once("auto-encoder", async () => {
    run.history.push(entry(2));
    run.save("auto-encoder training", state);
    throw new Error("killed");
  });
  await expect(stopped).rejects.toThrow("killed");
  const next = later(store);
  await next.once("auto-encoder", async (soFar) => {
    next.history.push(entry(3));
    expect(soFar()).toEqual([entry(2), entry(3)]);
    return vectors(1);
  });
  expect(next.history).toHaveLength(3);
});

test("a training whose work is done is unfinished no more", async () => {
  const store = steady();
  const state = { epochs: 1, trainer: { step: 1, vectors: {} }, carried: {} };
  new ResumableRun(store).save("the training", state);
  const run = later(store);
  expect(run.unfinished("the training")).toEqual(state);
  await run.once("the work", making(1));
  expect(run.unfinished("the training")).toBeUndefined();
});

test("names that begin alike are kept apart", async () => {
  const store = steady();
  const run = new ResumableRun(store);
  await run.once("layer", making(1));
  await run.once("layer 1", making(2));
  const next = later(store);
  expect(await next.once("layer", making(-1))).toEqual(vectors(1));
  expect(await next.once("layer 1", making(-2))).toEqual(vectors(2));
});

test("a checkpoint of another version is refused", () => {
  const store = new StoppingStore({ notes: { stage: "auto-encoder" }, vectors: {} }, -1);
  expect(() => new ResumableRun(store)).toThrow("it was written by another version");
  const unfinished = new StoppingStore({ notes: { history: [] }, vectors: {} }, -1);
  expect(() => new ResumableRun(unfinished)).toThrow("the checkpoint was written by another version");
});
