/** The images that are gone through now, in their order: a grid of them, or one after the other. */
import { batch, effect, signal } from "@preact/signals";
import { report } from "./notice.ts";
import { type Listing, queryOf, route } from "./route.ts";
import { getImages } from "./server.ts";
import { revision, studio } from "./studio.ts";

export interface ImageList {
  /** A cluster's number, "aside" or "all". */
  readonly of: string;
  readonly query: string;
  readonly images: Int32Array;
}

export const list = signal<ImageList | undefined>(undefined);
/** The place in the list where a person is. */
export const active = signal(0);

let asked: AbortController | undefined;
let last: Promise<void> = Promise.resolve();

/** Once the list is that of the address, as decided. */
export const listSettled = (): Promise<void> => last;

/** Another list begins at its beginning; the same one, after a decision, stays where it is. */
export function showList(of: string, query: string): void {
  last = fetchList(of, query);
}

async function fetchList(of: string, query: string): Promise<void> {
  asked?.abort();
  const controller = new AbortController();
  asked = controller;
  try {
    const images = await getImages(of, query, controller.signal);
    const before = list.peek();
    batch(() => {
      if (before?.of !== of || before.query !== query) active.value = 0;
      active.value = Math.max(0, Math.min(active.peek(), images.length - 1));
      list.value = { of, query, images };
    });
  } catch (error) {
    if (!controller.signal.aborted) report(error);
  }
}

export const listed = (of: string, listing: Listing): ImageList | undefined => {
  const now = list.value;
  return now?.of === of && now.query === queryOf(listing) ? now : undefined;
};

/** The list is that of the address, and is asked for again whenever something was decided. */
effect(() => {
  const place = route.value;
  revision.value;
  if (studio.peek() !== undefined && place.view === "images") showList(place.of, queryOf(place.listing));
});

/** The same, while one of its images is looked at. */
export function renewList(): void {
  const now = list.peek();
  if (now !== undefined) showList(now.of, now.query);
}
