/** Decisions that contradict earlier ones, asked for again whenever something was decided. */
import { effect, signal } from "@preact/signals";
import { getContradictions } from "./server.ts";
import { revision, studio } from "./studio.ts";

export const contradictions = signal<readonly string[]>([]);

const wanted = signal(false);

/** Called by what shows them. */
export function wantContradictions(): void {
  wanted.value = true;
}

effect(() => {
  revision.value;
  if (!wanted.value || studio.peek()?.phase !== "run") return;
  // What could not be asked for is nothing that a person waits for.
  void getContradictions().then(
    (found) => {
      contradictions.value = found;
    },
    () => {},
  );
});
