import { expect, test, vi } from "vitest";
import { StoppingStore } from "../../test/stopping-store.ts";
import { Course } from "./course.ts";

const vectors = (value: number) => ({ values: Float32Array.of(value) });
const making = (value: number) => vi.fn(async () => vectors(value));
const steady = () => new StoppingStore(undefined, -1);

/** What a later process finds. */
const later = (store: StoppingStore): Course => new Course(new StoppingStore(store.last, -1));

test("a phase runs once, and gives again what it left", async () => {
  const course = new Course();
  const [run, again] = [making(1), making(2)];
  expect(await course.phase("first", run)).toEqual(vectors(1));
  expect(await course.phase("first", again)).toEqual(vectors(1));
  expect(run).toHaveBeenCalledTimes(1);
  expect(again).not.toHaveBeenCalled();
});

test("a later process skips the phases that are finished, and runs the others", async () => {
  const store = steady();
  const course = new Course(store);
  await course.phase("first", making(1));
  await course.phase("second", making(2));
  const [first, second, third] = [making(-1), making(-2), making(3)];
  const next = later(store);
  expect(await next.phase("first", first)).toEqual(vectors(1));
  expect(await next.phase("second", second)).toEqual(vectors(2));
  expect(await next.phase("third", third)).toEqual(vectors(3));
  expect([first, second, third].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
});

test("a phase that fails is not finished", async () => {
  const store = steady();
  const course = new Course(store);
  const failing = async () => {
    throw new Error("no memory");
  };
  await expect(course.phase("first", failing)).rejects.toThrow("no memory");
  expect(store.last).toBeUndefined();
  expect(await course.phase("first", making(1))).toEqual(vectors(1));
});

test("what is forgotten is not kept, and would run again", async () => {
  const store = steady();
  const course = new Course(store);
  await course.phase("layer", making(1));
  course.forget(["layer"]);
  await course.phase("whole", making(2));
  expect(Object.keys(store.last?.vectors ?? {})).toEqual(["whole: values"]);
  const run = making(3);
  expect(await later(store).phase("layer", run)).toEqual(vectors(3));
});

test("an open phase comes back as it was left, and only that one", async () => {
  const store = steady();
  const course = new Course(store);
  await course.phase("first", making(1));
  course.history.push({ stage: "clustering", epoch: 1, loss: 0.5, changed: 0.25 });
  const state = {
    epochs: 3,
    trainer: { step: 42, vectors: { parameters: Float32Array.of(1, 2) } },
    carried: { labels: Float32Array.of(0, 1, 1) },
  };
  course.save("second", state);
  expect(course.opened("second")).toBeUndefined();
  const next = later(store);
  expect(next.opened("second")).toEqual(state);
  expect(next.opened("first")).toBeUndefined();
  expect(next.history).toEqual(course.history);
  expect(await next.phase("first", making(-1))).toEqual(vectors(1));
});

test("a phase knows its own history, whichever process made it", async () => {
  const entry = (epoch: number) => ({ stage: "auto-encoder" as const, epoch, loss: 1 / epoch });
  const state = { epochs: 1, trainer: { step: 1, vectors: {} }, carried: {} };
  const store = steady();
  const course = new Course(store);
  course.history.push(entry(1));
  const stopped = course.phase("auto-encoder", async () => {
    course.history.push(entry(2));
    course.save("auto-encoder training", state);
    throw new Error("killed");
  });
  await expect(stopped).rejects.toThrow("killed");
  const next = later(store);
  await next.phase("auto-encoder", async (soFar) => {
    next.history.push(entry(3));
    expect(soFar()).toEqual([entry(2), entry(3)]);
    return vectors(1);
  });
  expect(next.history).toHaveLength(3);
});

test("a phase that ends is open no more", async () => {
  const store = steady();
  const state = { epochs: 1, trainer: { step: 1, vectors: {} }, carried: {} };
  new Course(store).save("phase training", state);
  const course = later(store);
  expect(course.opened("phase training")).toEqual(state);
  await course.phase("phase", making(1));
  expect(course.opened("phase training")).toBeUndefined();
});

test("phases whose names begin alike are kept apart", async () => {
  const store = steady();
  const course = new Course(store);
  await course.phase("layer", making(1));
  await course.phase("layer 1", making(2));
  const next = later(store);
  expect(await next.phase("layer", making(-1))).toEqual(vectors(1));
  expect(await next.phase("layer 1", making(-2))).toEqual(vectors(2));
});

test("a checkpoint of another version is refused", () => {
  const store = new StoppingStore({ notes: { stage: "auto-encoder" }, vectors: {} }, -1);
  expect(() => new Course(store)).toThrow("it was written by another version");
  const unfinished = new StoppingStore({ notes: { history: [] }, vectors: {} }, -1);
  expect(() => new Course(unfinished)).toThrow("the checkpoint was written by another version");
});
