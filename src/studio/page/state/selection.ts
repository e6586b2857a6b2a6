/** Selected images, and selected clusters of the wall. */
import { batch, effect, signal } from "@preact/signals";
import { route } from "./route.ts";

export const selection = signal<ReadonlySet<number>>(new Set());
export const selectedClusters = signal<ReadonlySet<number>>(new Set());

const none: ReadonlySet<number> = new Set();

export function clearSelection(): void {
  batch(() => {
    if (selection.peek().size > 0) selection.value = none;
    if (selectedClusters.peek().size > 0) selectedClusters.value = none;
  });
}

/** With or without one. */
export function toggled(set: ReadonlySet<number>, one: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}

/** What is listed from one place to another, both included, in either direction. */
export function between(list: ArrayLike<number>, from: number, to: number): number[] {
  const [start, end] = from < to ? [from, to] : [to, from];
  return Array.from({ length: end - start + 1 }, (_, index) => list[start + index]);
}

export const withAll = (set: ReadonlySet<number>, more: Iterable<number>): ReadonlySet<number> =>
  new Set([...set, ...more]);

/** A selection ends where its place is left; looking at one image of it does not leave the place. */
let place = "";
effect(() => {
  const { value } = route;
  if (value.view === "image") return;
  const now = value.view === "images" ? `images ${value.of}` : value.view;
  if (now !== place) clearSelection();
  place = now;
});
