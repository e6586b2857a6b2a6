/** Rows of which only those that are seen are in the page: TanStack Virtual, for Preact. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

export interface RowsOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Of a row with the gap below it, in CSS pixels. */
  readonly height: number;
}

export function useVirtualRows({ scroller, count, height }: RowsOptions): Virtualizer<HTMLElement, HTMLElement> {
  const [, draw] = useState({});
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 3,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw({}),
  };
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  rows.setOptions(options);
  // What its own adapters call: subscribe once, look at the element after each drawing.
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  useLayoutEffect(() => rows.measure(), [rows, height]);
  return rows;
}

/** The width inside an element, in CSS pixels; 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([{ contentRect }]) => setWidth(contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
