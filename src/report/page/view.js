/** The visible part of the map: all of it at zoom 1. */
export class View {
  zoom = 1;
  /** The centre of the view, from 0 to 1 along both axes. */
  middle = { x: 0.5, y: 0.5 };
  /** The side of the canvas, in CSS pixels. */
  side = 1;
  #mostZoom;
  #extent;

  /** Around the map, in CSS pixels. */
  static inset = 18;

  /**
   * @param {number} points The more points, the further the map can be zoomed.
   * @param {number} extent Coordinates are from 0 to this.
   */
  constructor(points, extent) {
    this.#extent = extent;
    this.#mostZoom = 4 + Math.sqrt(points) / 2;
  }

  /** The width of the whole map, in CSS pixels. */
  get scale() {
    return (this.side - 2 * View.inset) * this.zoom;
  }

  /** @param {number} x From 0 to the extent. */
  toScreenX(x) {
    return this.side / 2 + (x / this.#extent - this.middle.x) * this.scale;
  }

  /** @param {number} y From 0 to the extent. */
  toScreenY(y) {
    return this.side / 2 + (y / this.#extent - this.middle.y) * this.scale;
  }

  /**
   * Zooms while the point at (x, y) of the canvas stays in place.
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoomAt(factor, x = this.side / 2, y = this.side / 2) {
    const before = this.scale;
    this.zoom = Math.min(this.#mostZoom, Math.max(1, this.zoom * factor));
    const shift = 1 / before - 1 / this.scale;
    this.middle.x += (x - this.side / 2) * shift;
    this.middle.y += (y - this.side / 2) * shift;
    this.#keepWithin();
  }

  /**
   * Moves the map with the pointer.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.middle.x -= dx / this.scale;
    this.middle.y -= dy / this.scale;
    this.#keepWithin();
  }

  reset() {
    this.zoom = 1;
    this.middle = { x: 0.5, y: 0.5 };
  }

  /** The view never leaves the map. */
  #keepWithin() {
    const slack = 0.5 - 0.5 / this.zoom;
    this.middle.x = Math.min(0.5 + slack, Math.max(0.5 - slack, this.middle.x));
    this.middle.y = Math.min(0.5 + slack, Math.max(0.5 - slack, this.middle.y));
  }
}

/** How near the pointer must be to a point, in CSS pixels. */
const reach = 14;

/**
 * The point that is nearest to (x, y) of the canvas, if one is near.
 * @param {View} view
 * @param {ArrayLike<number>} places Two coordinates per point.
 * @param {number} x
 * @param {number} y
 * @returns {number | undefined}
 */
export function nearest(view, places, x, y) {
  let [best, closest] = [reach, -1];
  for (let point = 0; 2 * point < places.length; point++) {
    const dx = view.toScreenX(places[2 * point]) - x;
    const dy = view.toScreenY(places[2 * point + 1]) - y;
    const distance = Math.hypot(dx, dy);
    if (distance < best) [best, closest] = [distance, point];
  }
  return closest < 0 ? undefined : closest;
}
