/** Draws the map. */
import { byId } from "./data.js";

/**
 * @typedef {import("./data.js").MapData} MapData
 * @typedef {import("./data.js").Groups} Groups
 * @typedef {import("./view.js").View} View
 *
 * @typedef {object} Scene
 * @property {View} view
 * @property {Groups} groups They decide the colours.
 * @property {number | undefined} selected The one group that stands out.
 * @property {number | undefined} pointed The point under the pointer.
 */

/** Up to this many visible points are drawn as images. */
const mostImages = 220;
const imageSides = { least: 34, most: 64 };
/** Names of more groups than this would cover the map. */
const mostNames = 40;

/**
 * CSS colours, variables included, as a canvas takes them.
 * @param {string[]} colours
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
  #canvas = byId("map-canvas", HTMLCanvasElement);
  #images = byId("map-images", HTMLImageElement);
  #data;

  /** @param {MapData} data */
  constructor(data) {
    this.#data = data;
  }

  /** @param {Scene} scene */
  draw({ view, groups, selected, pointed }) {
    const context = this.#canvas.getContext("2d");
    if (context === null) return;
    const ratio = devicePixelRatio || 1;
    const pixels = Math.round(view.side * ratio);
    if (this.#canvas.width !== pixels) this.#canvas.width = this.#canvas.height = pixels;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, view.side, view.side);
    const colours = resolvedColours(groups.colours);
    const seen = this.#seen(view);
    const standsOut = (/** @type {number} */ point) => selected === undefined || groups.values[point] === selected;
    const asImages = seen.length <= mostImages && this.#images.complete;
    const room = view.side / (1.7 * Math.sqrt(seen.length + 1));
    const imageSide = Math.min(imageSides.most, Math.max(imageSides.least, room));
    // The selected group is drawn last, over the others.
    for (const bright of selected === undefined ? [true] : [false, true]) {
      context.globalAlpha = bright ? (asImages ? 1 : 0.85) : 0.14;
      for (const point of seen) {
        if (standsOut(point) !== bright) continue;
        context.fillStyle = colours[groups.values[point]];
        if (asImages) this.#drawImage(context, view, point, imageSide);
        else this.#drawDot(context, view, point, this.#radius(view));
      }
    }
    context.globalAlpha = 1;
    if (!asImages && groups.names.length <= mostNames) this.#drawNames(context, { view, groups, selected, pointed });
    if (pointed !== undefined)
      this.#drawRing(context, view, pointed, asImages ? 0.8 * imageSide : this.#radius(view) + 3);
  }

  /** The points within the canvas. */
  #seen(/** @type {View} */ view) {
    const { names } = this.#data;
    const margin = imageSides.most / 2;
    const points = [];
    for (let point = 0; point < names.length; point++) {
      const [x, y] = this.#at(view, point);
      if (x > -margin && x < view.side + margin && y > -margin && y < view.side + margin) points.push(point);
    }
    return points;
  }

  /** @returns {[number, number]} */
  #at(/** @type {View} */ view, /** @type {number} */ point) {
    const { places } = this.#data;
    return [view.toScreenX(places[2 * point]), view.toScreenY(places[2 * point + 1])];
  }

  /** The fewer points, the larger. */
  #radius(/** @type {View} */ view) {
    const room = view.side / (4.2 * Math.sqrt(this.#data.names.length));
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
    const { width, height } = this.imageSize(side);
    context.fillRect(x - width / 2 - 2, y - height / 2 - 2, width + 4, height + 4);
    this.drawTile(context, point, x - width / 2, y - height / 2, width, height);
  }

  /**
   * The size of an image that fits a square.
   * @param {number} side
   */
  imageSize(side) {
    const { width, height } = this.#data.tiles;
    const scale = side / Math.max(width, height);
    return { width: width * scale, height: height * scale };
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} point
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  drawTile(context, point, x, y, width, height) {
    const { tiles } = this.#data;
    const [column, row] = [point % tiles.columns, Math.floor(point / tiles.columns)];
    context.imageSmoothingEnabled = !tiles.pixelated;
    const from = [column * tiles.width, row * tiles.height];
    context.drawImage(this.#images, from[0], from[1], tiles.width, tiles.height, x, y, width, height);
  }

  /**
   * Names at the median of each coordinate of a group, which outliers do not move.
   * @param {CanvasRenderingContext2D} context
   * @param {Scene} scene
   */
  #drawNames(context, { view, groups, selected }) {
    const style = getComputedStyle(this.#canvas);
    context.font = `600 13px ${style.fontFamily}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = style.getPropertyValue("--paper");
    context.fillStyle = style.color;
    groups.names.forEach((name, group) => {
      if (selected !== undefined && selected !== group) return;
      const points = [...groups.values.keys()].filter((point) => groups.values[point] === group);
      if (points.length === 0) return;
      const places = points.map((point) => this.#at(view, point));
      const [x, y] = [0, 1].map((axis) => median(places.map((place) => place[axis])));
      context.strokeText(name, x, y);
      context.fillText(name, x, y);
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
