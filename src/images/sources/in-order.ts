/** Results in the order of the items, with at most `atOnce` in work; `work` must not reject. */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  atOnce: number,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for (const item of items) {
    running.push(work(item));
    if (running.length >= atOnce) yield* running.splice(0, 1);
  }
  yield* running;
}
