/** What lies over the page until it is answered or closed. */
import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export type OpenSheet =
  | {
      readonly kind: "move";
      readonly images: readonly number[];
      readonly from?: number;
      /** Default: they are moved. */
      readonly onChoose?: (to: number | { readonly name?: string }) => void;
    }
  | { readonly kind: "name-new"; readonly images: readonly number[]; readonly splitOf?: number }
  | { readonly kind: "merge"; readonly cluster: number }
  | { readonly kind: "split"; readonly cluster: number }
  | { readonly kind: "organize" | "help" | "conflicts" | "contradictions" };

export const openSheet = signal<OpenSheet | undefined>(undefined);

export function closeSheet(): void {
  openSheet.value = undefined;
}

export interface SheetProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** At the end, with the closing button. Default: that button alone. */
  readonly buttons?: ComponentChildren;
  readonly wide?: boolean;
}

export function Sheet({ title, children, buttons, wide = false }: SheetProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // Closing gives the focus back to what had it.
    return () => dialog.current?.close();
  }, []);
  // The event comes late: where another sheet has taken the place of this one, that one stays.
  const closed = (): void => {
    if (dialog.current !== null) closeSheet();
  };
  return (
    <dialog ref={dialog} class={wide ? "sheet wide" : "sheet"} aria-labelledby={heading} onClose={closed}>
      <h2 id={heading}>{title}</h2>
      <div class="sheet-body">{children}</div>
      <div class="sheet-buttons">
        <button type="button" onClick={closeSheet}>
          {buttons === undefined ? "Close" : "Cancel"}
        </button>
        {buttons}
      </div>
    </dialog>
  );
}
