/** The images of the report's points, which are tiles of one picture. */
import { byId } from "./data.js";

/**
 * @typedef {import("./data.js").MapData} MapData
 * @typedef {import("./painter.js").Box} Box
 */

export class Sprite {
  #images = byId("map-images", HTMLImageElement);
  #tiles;

  /** @param {MapData} data */
  constructor({ tiles }) {
    this.#tiles = tiles;
  }

  ready() {
    return this.#images.complete;
  }

  /** @param {number} side */
  size(side) {
    const { width, height } = this.#tiles;
    const scale = side / Math.max(width, height);
    return { width: width * scale, height: height * scale };
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} point
   * @param {Box} box
   */
  draw(context, point, { x, y, width, height }) {
    const { columns, pixelated, width: tileWidth, height: tileHeight } = this.#tiles;
    const [column, row] = [point % columns, Math.floor(point / columns)];
    context.imageSmoothingEnabled = !pixelated;
    const from = [column * tileWidth, row * tileHeight];
    context.drawImage(this.#images, from[0], from[1], tileWidth, tileHeight, x, y, width, height);
  }
}
