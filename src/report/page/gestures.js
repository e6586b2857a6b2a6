/** Pointer, wheel and keys on the map, of the report and of the studio. */

/**
 * @typedef {import("./view.js").View} View
 *
 * @typedef {object} Reactions
 * @property {() => void} onMove The view has changed.
 * @property {(x: number, y: number) => void} onPoint The pointer is here, in CSS pixels of the map.
 * @property {() => void} onLeave
 * @property {(x: number, y: number, event: PointerEvent) => void} onClick
 * @property {Lasso} [lasso] Default: every pointer moves the map.
 *
 * @typedef {object} Lasso
 * @property {(event: PointerEvent) => boolean} starts Whether this pointer draws a lasso.
 * @property {(path: readonly Corner[]) => void} onDraw
 * @property {(path: readonly Corner[], event: PointerEvent) => void} onEnd
 *
 * @typedef {{ x: number, y: number }} Corner In CSS pixels of the map.
 */

/** A pointer that moves no farther than this, in CSS pixels, clicks. */
const clickSlack = 5;
/** CSS pixels per press of an arrow key. */
const keyStep = 60;
export const zoomStep = 1.5;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {View} view
 * @param {Reactions} reactions
 */
export function listen(canvas, view, reactions) {
  listenToPointers(canvas, view, reactions);
  // Only once the map has been clicked: otherwise it would catch readers who scroll down the page.
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      view.zoomAt(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event.offsetX, event.offsetY);
      reactions.onMove();
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    const action = keyActions(view)[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
    reactions.onMove();
  });
}

/**
 * @param {View} view
 * @returns {Record<string, (() => void) | undefined>}
 */
const keyActions = (view) => ({
  "+": () => view.zoomAt(zoomStep),
  "=": () => view.zoomAt(zoomStep),
  "-": () => view.zoomAt(1 / zoomStep),
  0: () => view.reset(),
  ArrowLeft: () => view.pan(keyStep, 0),
  ArrowRight: () => view.pan(-keyStep, 0),
  ArrowUp: () => view.pan(0, keyStep),
  ArrowDown: () => view.pan(0, -keyStep),
});

/**
 * One pointer moves the map, two zoom it.
 * @param {HTMLCanvasElement} canvas
 * @param {View} view
 * @param {Reactions} reactions
 */
function listenToPointers(canvas, view, { onMove, onPoint, onLeave, onClick, lasso }) {
  /** @type {Map<number, Corner>} */
  const down = new Map();
  let travelled = 0;
  /** @type {Corner[] | undefined} */
  let path;

  const spreadOf = () => {
    const [a, b] = [...down.values()];
    return b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  };
  const middleOf = () => {
    const all = [...down.values()];
    const mean = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b, 0) / values.length;
    return { x: mean(all.map(({ x }) => x)), y: mean(all.map(({ y }) => y)) };
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (down.size === 0) {
      travelled = 0;
      path = lasso?.starts(event) ? [] : undefined;
    }
    down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!down.has(event.pointerId)) return onPoint(event.offsetX, event.offsetY);
    const before = { middle: middleOf(), spread: spreadOf() };
    down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    const middle = middleOf();
    const [dx, dy] = [middle.x - before.middle.x, middle.y - before.middle.y];
    travelled += Math.hypot(dx, dy) + Math.abs(spreadOf() - before.spread);
    if (travelled <= clickSlack) return;
    onLeave();
    if (path !== undefined) {
      path.push(middle);
      return lasso?.onDraw(path);
    }
    view.pan(dx, dy);
    if (before.spread > 0) view.zoomAt(spreadOf() / before.spread, middle.x, middle.y);
    onMove();
  });
  canvas.addEventListener("pointerup", (event) => {
    const clicked = down.size === 1 && travelled <= clickSlack;
    down.delete(event.pointerId);
    if (clicked) onClick(event.offsetX, event.offsetY, event);
    else if (path !== undefined) lasso?.onEnd(path, event);
  });
  canvas.addEventListener("pointercancel", (event) => {
    down.delete(event.pointerId);
  });
  // Lifting a finger keeps what it has shown.
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") onLeave();
  });
}
