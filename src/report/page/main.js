/** The page's map: point to see an image, click to see its cluster. And the slider of its clusters. */
import { byId, extent, readMapData } from "./data.js";
import { listen, zoomStep } from "./gestures.js";
import { markLegend, showCard, showLegend } from "./legend.js";
import { listenToLevels } from "./levels.js";
import { Painter } from "./painter.js";
import { Sprite } from "./sprite.js";
import { Tip } from "./tip.js";
import { nearest, View } from "./view.js";

const data = readMapData();
const canvas = byId("map-canvas", HTMLCanvasElement);
const view = new View(data.names.length, extent);
const sprite = new Sprite(data);
const painter = new Painter(canvas, data.places, sprite);
const tip = new Tip(data, sprite);

let groups = data.clusters;
/** @type {number | undefined} */
let selected;
/** @type {number | undefined} */
let pointed;
let asked = false;

/** All changes until the next frame are drawn at once. */
function draw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    // While the whole map is visible, a finger scrolls the page.
    canvas.style.touchAction = view.zoom > 1 ? "none" : "pan-y";
    painter.draw({
      view,
      groups,
      ...(selected === undefined ? {} : { selected }),
      ...(pointed === undefined ? {} : { pointed }),
    });
  });
}

/** @param {number | undefined} group */
function select(group) {
  selected = group;
  markLegend(groups, selected);
  showCard(groups === data.clusters ? selected : undefined);
  draw();
}

/** Selecting a group again clears the selection. */
const toggle = (/** @type {number} */ group) => select(group === selected ? undefined : group);

/** @param {typeof groups} wanted */
function colourBy(wanted) {
  groups = wanted;
  selected = undefined;
  showLegend(groups, selected, toggle);
  select(undefined);
}

function leave() {
  pointed = undefined;
  tip.hide();
  draw();
}

/**
 * @param {number} x
 * @param {number} y
 */
function point(x, y) {
  const found = nearest(view, data.places, x, y);
  if (found === undefined) return leave();
  pointed = found;
  tip.show(found, x, y);
  draw();
}

listen(canvas, view, {
  onMove: draw,
  onPoint: point,
  onLeave: leave,
  onClick: (x, y) => {
    const found = nearest(view, data.places, x, y);
    if (found === undefined) {
      leave();
      return select(undefined);
    }
    toggle(groups.values[found]);
    point(x, y);
  },
});

for (const [id, change] of /** @type {const} */ ([
  ["map-in", () => view.zoomAt(zoomStep)],
  ["map-out", () => view.zoomAt(1 / zoomStep)],
  ["map-all", () => view.reset()],
]))
  byId(id, HTMLButtonElement).addEventListener("click", () => {
    change();
    draw();
  });

for (const input of document.querySelectorAll("input[name=map-colours]"))
  input.addEventListener("change", () => {
    if (input instanceof HTMLInputElement && input.checked)
      colourBy(input.value === "labels" && data.labels !== undefined ? data.labels : data.clusters);
  });

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  leave();
  select(undefined);
});

/** Links from cards to their clusters on the map. */
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest(".to-map") : null;
  if (!(link instanceof HTMLElement)) return;
  const clusters = document.querySelector("input[name=map-colours][value=clusters]");
  if (clusters instanceof HTMLInputElement) clusters.checked = true;
  if (groups !== data.clusters) colourBy(data.clusters);
  select(Number(link.dataset.cluster));
});

new ResizeObserver(([{ contentRect }]) => {
  view.side = contentRect.width;
  draw();
}).observe(canvas);

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
byId("map-images", HTMLImageElement).decode().then(draw, draw);
colourBy(data.clusters);
listenToLevels();
