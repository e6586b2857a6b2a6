/** Draws the map, of the report and of the studio. */

/**
 * @typedef {import("./view.js").View} View
 *
 * @typedef {object} Groups Clusters or labels.
 * @property {readonly string[]} names
 * @property {readonly string[]} colours As CSS.
 * @property {ArrayLike<number> & Iterable<number>} values The group of each point.
 *
 * @typedef {object} Tiles The images of the points.
 * @property {() => boolean} ready Whether they can be drawn yet.
 * @property {(side: number, point: number) => { width: number, height: number }} size Of an image that fits a square.
 * @property {(context: CanvasRenderingContext2D, point: number, box: Box) => void} draw
 *
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 *
 * @typedef {object} Scene
 * @property {View} view
 * @property {Groups} groups They decide the colours.
 * @property {number} [selected] The one group that stands out.
 * @property {(point: number) => boolean} [chosen] The points that stand out, whatever their group. Default: no choice.
 * @property {number} [pointed] The point under the pointer.
 */

/** Up to this many visible points are drawn as images. */
const mostImages = 220;
const imageSides = { least: 34, most: 64 };
/** Names of more groups than this would cover the map. */
const mostNames = 40;

/**
 * CSS colours, variables included, as a canvas takes them.
 * @param {readonly string[]} colours
 */
export function resolvedColours(colours) {
  const probe = document.createElement("i");
  document.body.append(probe);
  const resolved = colours.map((colour) => {
    probe.style.color = colour;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return resolved;
}

export class Painter {
  #canvas;
  #places;
  #tiles;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {ArrayLike<number>} places Two coordinates per point.
   * @param {Tiles} tiles
   */
  constructor(canvas, places, tiles) {
    this.#canvas = canvas;
    this.#places = places;
    this.#tiles = tiles;
  }

  /** @param {Scene} scene */
  draw(scene) {
    const { view, groups, selected, chosen, pointed } = scene;
    const context = this.#canvas.getContext("2d");
    if (context === null) return;
    const ratio = devicePixelRatio || 1;
    const pixels = Math.round(view.side * ratio);
    if (this.#canvas.width !== pixels) this.#canvas.width = this.#canvas.height = pixels;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, view.side, view.side);
    const colours = resolvedColours(groups.colours);
    const seen = this.#seen(view);
    const standsOut = chosen ?? ((point) => selected === undefined || groups.values[point] === selected);
    const asImages = seen.length <= mostImages && this.#tiles.ready();
    const room = view.side / (1.7 * Math.sqrt(seen.length + 1));
    const imageSide = Math.min(imageSides.most, Math.max(imageSides.least, room));
    // What stands out is drawn last, over the others.
    for (const bright of [false, true]) {
      context.globalAlpha = bright ? (asImages ? 1 : 0.85) : 0.14;
      for (const point of seen) {
        if (standsOut(point) !== bright) continue;
        context.fillStyle = colours[groups.values[point]];
        if (asImages) this.#drawImage(context, view, point, imageSide);
        else this.#drawDot(context, view, point, this.#radius(view));
      }
    }
    context.globalAlpha = 1;
    if (!asImages && groups.names.length <= mostNames) this.#drawNames(context, scene);
    if (pointed !== undefined)
      this.#drawRing(context, view, pointed, asImages ? 0.8 * imageSide : this.#radius(view) + 3);
  }

  /** The points within the canvas. */
  #seen(/** @type {View} */ view) {
    const margin = imageSides.most / 2;
    const points = [];
    for (let point = 0; 2 * point < this.#places.length; point++) {
      const [x, y] = this.#at(view, point);
      if (x > -margin && x < view.side + margin && y > -margin && y < view.side + margin) points.push(point);
    }
    return points;
  }

  /** @returns {[number, number]} */
  #at(/** @type {View} */ view, /** @type {number} */ point) {
    return [view.toScreenX(this.#places[2 * point]), view.toScreenY(this.#places[2 * point + 1])];
  }

  /** The fewer points, the larger. */
  #radius(/** @type {View} */ view) {
    const room = view.side / (4.2 * Math.sqrt(this.#places.length / 2));
    return Math.min(5, Math.max(1.5, room)) * view.zoom ** 0.3;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {View} view
   * @param {number} point
   * @param {number} radius
   */
  #drawDot(context, view, point, radius) {
    const [x, y] = this.#at(view, point);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }

  /**
   * An image in a frame of its group's colour.
   * @param {CanvasRenderingContext2D} context
   * @param {View} view
   * @param {number} point
   * @param {number} side The side of the square that it fits.
   */
  #drawImage(context, view, point, side) {
    const [x, y] = this.#at(view, point);
    const { width, height } = this.#tiles.size(side, point);
    const box = { x: x - width / 2, y: y - height / 2, width, height };
    context.fillRect(box.x - 2, box.y - 2, width + 4, height + 4);
    this.#tiles.draw(context, point, box);
  }

  /**
   * Names at the median of each coordinate of a group, which outliers do not move.
   * @param {CanvasRenderingContext2D} context
   * @param {Scene} scene
   */
  #drawNames(context, { view, groups, selected }) {
    const style = getComputedStyle(this.#canvas);
    const width = this.#canvas.clientWidth;
    context.font = `600 13px ${style.fontFamily}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = style.getPropertyValue("--paper");
    context.fillStyle = style.color;
    groups.names.forEach((name, group) => {
      if (selected !== undefined && selected !== group) return;
      /** @type {[number, number][]} */
      const places = [];
      for (let point = 0; point < groups.values.length; point++)
        if (groups.values[point] === group) places.push(this.#at(view, point));
      if (places.length === 0) return;
      const [x, y] = [0, 1].map((axis) => median(places.map((place) => place[axis])));
      // What is on the map has its whole name on it.
      const half = Math.min(context.measureText(name).width / 2 + 4, width / 2);
      const within = x < 0 || x > width ? x : Math.max(half, Math.min(width - half, x));
      context.strokeText(name, within, y);
      context.fillText(name, within, y);
    });
  }

  /**
   * A ring around the point under the pointer.
   * @param {CanvasRenderingContext2D} context
   * @param {View} view
   * @param {number} point
   * @param {number} radius
   */
  #drawRing(context, view, point, radius) {
    const [x, y] = this.#at(view, point);
    context.strokeStyle = getComputedStyle(this.#canvas).color;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
