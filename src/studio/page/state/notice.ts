/** What was done last, or why it was not. */
import { signal } from "@preact/signals";

export interface Notice {
  readonly text: string;
  /** Whether undo would take back what this is about. */
  readonly undoable: boolean;
  readonly error: boolean;
}

export const notice = signal<Notice | undefined>(undefined);
export function report(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  notice.value = { text, undoable: false, error: true };
}
