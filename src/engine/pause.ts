/** Lets signals, timers and whoever else waits have their turn, between two pieces of long work. */
export const pause = (): Promise<void> =>
  new Promise((resolve) => {
    // Browsers have no setImmediate; a timer does the same there, a little later.
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve);
  });
