/** Work done one piece after another, in the order in which it was asked for. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    // A piece that fails does not stop those after it.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
