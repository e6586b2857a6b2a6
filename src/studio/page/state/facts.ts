/** What is known about images, asked for many at a time, and again when something was decided. */
import { effect, signal } from "@preact/signals";
import type { ImageFacts } from "../../api.ts";
import { getFacts } from "./server.ts";
import { revision } from "./studio.ts";

/** As many as the server answers at once. */
const mostAtOnce = 500;
/** Beyond this many, those that were asked for first are forgotten. */
const mostKept = 20_000;
/** Milliseconds in which requests gather; a fast scroll asks for nothing that it only passes. */
const pause = 60;

const known = new Map<number, ImageFacts>();
let fresh = new Set<number>();
const wanted = new Set<number>();
let gathering = false;
const changes = signal(0);

effect(() => {
  revision.value;
  fresh = new Set();
  changes.value = changes.peek() + 1;
});

/** What is known now; the component that asks is drawn again when more is. */
export function factsOf(image: number): ImageFacts | undefined {
  changes.value;
  if (!fresh.has(image)) want(image);
  return known.get(image);
}

function want(image: number): void {
  wanted.delete(image);
  wanted.add(image);
  if (!gathering) setTimeout(ask, pause);
  gathering = true;
}

async function ask(): Promise<void> {
  // The last ones are what is on the screen now.
  const images = [...wanted].slice(-mostAtOnce);
  wanted.clear();
  const asked = fresh;
  const answers = await getFacts(images).catch(() => []);
  gathering = false;
  for (const facts of answers) {
    known.delete(facts.image);
    known.set(facts.image, facts);
    asked.add(facts.image);
  }
  for (const image of known.keys()) {
    if (known.size <= mostKept) break;
    known.delete(image);
    asked.delete(image);
  }
  if (answers.length > 0) changes.value++;
}
