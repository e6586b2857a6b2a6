/** Keys that work wherever a person is, unless they type or a sheet is open. */
import { useLayoutEffect, useRef } from "preact/hooks";

/** By key as `KeyboardEvent.key` names it, with "Shift+" or "Mod+" (Control, or Command on a Mac) before it. */
export type KeyActions = Readonly<Record<string, (() => void) | undefined>>;

/** What "Mod" is called here. */
export const modName = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

export function nameOf(event: KeyboardEvent): string {
  const mod = event.ctrlKey || event.metaKey ? "Mod+" : "";
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Which characters need Shift is up to the keyboard: of those only letters tell it apart.
  const shift = event.shiftKey && (event.key.length > 1 || /[a-z]/.test(key)) ? "Shift+" : "";
  return mod + shift + key;
}

const typesInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches("textarea, select, [contenteditable]") ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|range|button)$/.test(target.type)));

/** Space and Enter on a control are the control's. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("button, a, input, summary") !== null;

export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || typesInto(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const name = nameOf(event);
      if (/^(Shift\+)?( |Enter)$/.test(name) && isControl(event.target)) return;
      const action = latest.current[name];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
