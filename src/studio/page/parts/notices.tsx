/** What was just done, with a way back; and what is worth knowing all the time. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { openSheet } from "../sheets/sheet.tsx";
import { undo } from "../state/decide.ts";
import { notice } from "../state/notice.ts";
import { studio, trouble } from "../state/studio.ts";
import { counted } from "../state/words.ts";

/** Milliseconds; errors stay until they are closed. */
const shownFor = 8000;

export function Toast(): JSX.Element {
  const now = notice.value;
  useEffect(() => {
    if (now === undefined || now.error) return;
    const timer = setTimeout(() => {
      if (notice.peek() === now) notice.value = undefined;
    }, shownFor);
    return () => clearTimeout(timer);
  }, [now]);
  return (
    <div class="toasts">
      <div role="status" aria-live="polite">
        {now && !now.error && <span class="toast-text">{now.text}</span>}
      </div>
      <div role="alert">{now?.error && <span class="toast-text error">{now.text}</span>}</div>
      {now?.undoable && studio.value?.undo !== undefined && (
        <button type="button" onClick={() => undo()}>
          Undo
        </button>
      )}
      {now && (
        <button
          type="button"
          class="plain"
          aria-label="Close this message"
          onClick={() => {
            notice.value = undefined;
          }}
        >
          ×
        </button>
      )}
    </div>
  );
}

export function Banners(): JSX.Element {
  const { readOnly, conflicts = [] } = studio.value ?? {};
  return (
    <div role="status">
      {trouble.value && <p class="banner trouble">{trouble.value}</p>}
      {readOnly && <p class="banner">Nothing can be changed here: {readOnly}</p>}
      {conflicts.length > 0 && (
        <p class="banner">
          {counted(conflicts.length, "earlier decision")} could not be applied here.{" "}
          <button
            type="button"
            onClick={() => {
              openSheet.value = { kind: "conflicts" };
            }}
          >
            Show
          </button>
        </p>
      )}
    </div>
  );
}
