/** A rectangle drawn with the mouse over a grid selects what it touches. */
import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { selection } from "../state/selection.ts";

interface RectangleOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly images: Int32Array;
  readonly columns: number;
  /** From one tile to the next, in CSS pixels. */
  readonly pitch: number;
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** As CSS. */
interface Box {
  readonly left: string;
  readonly top: string;
  readonly width: string;
  readonly height: string;
}

/** A pointer that moves no farther than this, in CSS pixels, clicks. */
const slack = 6;

export function useRectangle({ scroller, images, columns, pitch }: RectangleOptions) {
  const [box, setBox] = useState<Box>();
  const start = useRef<{ readonly corner: Corner; readonly before: ReadonlySet<number> } | undefined>(undefined);
  const drawn = useRef(false);

  /** In the scrolled content. */
  const cornerOf = (event: PointerEvent): Corner => {
    const { left, top } = scroller.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    const style = scroller.current === null ? undefined : getComputedStyle(scroller.current);
    return {
      x: event.clientX - left - Number.parseFloat(style?.paddingLeft ?? "0"),
      y: event.clientY - top - Number.parseFloat(style?.paddingTop ?? "0") + (scroller.current?.scrollTop ?? 0),
    };
  };
  const onPointerDown = (event: PointerEvent): void => {
    drawn.current = false;
    if (event.pointerType !== "mouse" || event.button !== 0 || event.shiftKey) return;
    start.current = { corner: cornerOf(event), before: selection.peek() };
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (start.current === undefined) return;
    const [a, b] = [start.current.corner, cornerOf(event)];
    if (!drawn.current && Math.hypot(a.x - b.x, a.y - b.y) < slack) return;
    if (!drawn.current) scroller.current?.setPointerCapture(event.pointerId);
    drawn.current = true;
    const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
    const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
    setBox({ left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
    const touched = new Set(start.current.before);
    const lastRow = Math.min(Math.floor(bottom / pitch), Math.ceil(images.length / columns) - 1);
    const lastColumn = Math.min(Math.floor(right / pitch), columns - 1);
    for (let row = Math.max(0, Math.floor(top / pitch)); row <= lastRow; row++)
      for (let column = Math.max(0, Math.floor(left / pitch)); column <= lastColumn; column++) {
        const place = row * columns + column;
        if (place < images.length) touched.add(images[place]);
      }
    selection.value = touched;
  };
  const onPointerUp = (): void => {
    start.current = undefined;
    setBox(undefined);
  };
  return {
    box,
    /** Whether the pointer that was just lifted has drawn one: then it has not clicked. */
    wasDrawn: () => drawn.current,
    listeners: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
  };
}
