/** Results in the order of the items, with at most `concurrency` running; `work` must not reject. */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  concurrency: number,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for (const item of items) {
    running.push(work(item));
    if (running.length >= concurrency) yield* running.splice(0, 1);
  }
  yield* running;
}
