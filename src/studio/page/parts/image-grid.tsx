/** All images of a list, of any length: arrows go through them, Space, clicks and a rectangle select. */
import type { JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { factsOf } from "../state/facts.ts";
import { nameOf } from "../state/keys.ts";
import { active } from "../state/list.ts";
import { between, selection, toggled, withAll } from "../state/selection.ts";
import { useRectangle } from "./rectangle.ts";
import { Tile } from "./tile.tsx";
import { useVirtualRows, useWidth } from "./virtual-rows.ts";

export interface ImageGridProps {
  readonly images: Int32Array;
  readonly label: string;
  readonly onOpen: (image: number) => void;
}

/** Between tiles, in CSS pixels; styles/grid.css has it too. */
const gap = 4;
const tileSides = { narrow: 84, wide: 112 };

export function ImageGrid({ images, label, onOpen }: ImageGridProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  /** Where a range began. */
  const anchor = useRef(0);
  const width = useWidth(scroller);
  const columns = Math.max(3, Math.floor((width + gap) / ((width < 600 ? tileSides.narrow : tileSides.wide) + gap)));
  const side = Math.max(1, (width - gap * (columns - 1)) / columns);
  const rows = useVirtualRows({ scroller, count: Math.ceil(images.length / columns), height: side + gap });
  const rectangle = useRectangle({ scroller, images, columns, pitch: side + gap });
  const place = active.value;

  // Where a person was before they looked at one image, or at once where the keyboard goes.
  useLayoutEffect(() => {
    if (width > 0 && active.peek() > 0) rows.scrollToIndex(Math.floor(active.peek() / columns), { align: "center" });
  }, [rows, width > 0]);
  useLayoutEffect(() => {
    // Whoever changes the order or a filter goes on with that.
    if (!document.activeElement?.closest(".tools")) scroller.current?.focus({ preventScroll: true });
  }, []);

  const goTo = (next: number, extend: boolean): void => {
    const target = Math.max(0, Math.min(images.length - 1, next));
    if (extend) selection.value = withAll(selection.value, between(images, active.value, target));
    else anchor.current = target;
    active.value = target;
    rows.scrollToIndex(Math.floor(target / columns), { align: "auto" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (images.length === 0) return;
    const action = gridKeys[nameOf(event).replace(/^Shift\+/, "")];
    if (action === undefined) return;
    event.preventDefault();
    const screen = columns * Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / (side + gap)));
    const step = action({ columns, screen, count: images.length, place });
    if (typeof step === "number") goTo(place + step, event.shiftKey);
    else if (step === "toggle") selection.value = toggled(selection.value, images[place]);
    else if (step === "all") selection.value = new Set(images);
    else onOpen(images[place]);
  };
  const onClick = (event: MouseEvent): void => {
    const clicked = placeOf(event);
    if (clicked === undefined || rectangle.wasDrawn()) return;
    if (event.shiftKey) selection.value = withAll(selection.value, between(images, anchor.current, clicked));
    else selection.value = toggled(selection.value, images[clicked]);
    if (!event.shiftKey) anchor.current = clicked;
    active.value = clicked;
  };
  const onDblClick = (event: MouseEvent): void => {
    const clicked = placeOf(event);
    if (clicked !== undefined) onOpen(images[clicked]);
  };
  const drawn = rows.getVirtualItems();
  const activeRow = Math.floor(place / columns);
  return (
    <div
      class="grid"
      ref={scroller}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={drawn.some(({ index }) => index === activeRow) ? `${id}-${place}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDblClick={onDblClick}
      {...rectangle.listeners}
    >
      <div class="grid-space" role="presentation" style={{ height: `${rows.getTotalSize()}px` }}>
        {width > 0 &&
          drawn.map(({ index, start }) => <GridRow key={index} {...{ id, images, index, start, columns, side }} />)}
        {rectangle.box && <div class="rectangle" style={{ ...rectangle.box }} />}
      </div>
    </div>
  );
}

interface GridRowProps {
  readonly id: string;
  readonly images: Int32Array;
  readonly index: number;
  readonly start: number;
  readonly columns: number;
  readonly side: number;
}

/** A component of its own: while the grid is scrolled, rows that are there already are not drawn again. */
function GridRow({ id, images, index, start, columns, side }: GridRowProps): JSX.Element {
  const style = { transform: `translateY(${start}px)`, gridTemplateColumns: `repeat(${columns}, ${side}px)` };
  return (
    <div class="grid-row" role="presentation" style={style}>
      {Array.from(images.subarray(index * columns, (index + 1) * columns), (image, column) => {
        const place = index * columns + column;
        return (
          <Tile
            key={image}
            id={`${id}-${place}`}
            image={image}
            facts={factsOf(image)}
            place={place}
            count={images.length}
            selected={selection.value.has(image)}
            active={place === active.value}
          />
        );
      })}
    </div>
  );
}

function placeOf({ target }: Event): number | undefined {
  const tile = target instanceof Element ? target.closest<HTMLElement>("[data-place]") : null;
  return tile === null ? undefined : Number(tile.dataset.place);
}

interface Situation {
  readonly columns: number;
  /** Images per screen. */
  readonly screen: number;
  readonly count: number;
  readonly place: number;
}

/** How far to go, or what to do. */
const gridKeys: Readonly<Record<string, ((now: Situation) => number | "toggle" | "all" | "open") | undefined>> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: ({ columns, place }) => (place < columns ? 0 : -columns),
  ArrowDown: ({ columns }) => columns,
  PageUp: ({ screen }) => -screen,
  PageDown: ({ screen }) => screen,
  Home: ({ place }) => -place,
  End: ({ count, place }) => count - 1 - place,
  " ": () => "toggle",
  "Mod+a": () => "all",
  Enter: () => "open",
};
