/** The tooltip of the point under the pointer: its image, its name, its cluster. */
import { byId } from "./data.js";

/**
 * @typedef {import("./data.js").MapData} MapData
 * @typedef {import("./sprite.js").Sprite} Sprite
 */

const side = 132;
/** From the pointer, in CSS pixels. */
const distance = 16;

export class Tip {
  #element = byId("map-tip", HTMLDivElement);
  #data;
  #sprite;

  /**
   * @param {MapData} data
   * @param {Sprite} sprite
   */
  constructor(data, sprite) {
    this.#data = data;
    this.#sprite = sprite;
  }

  hide() {
    this.#element.hidden = true;
  }

  /**
   * Beside (x, y) of the map, on the side where there is more room.
   * @param {number} point
   * @param {number} x
   * @param {number} y
   */
  show(point, x, y) {
    const [canvas, text] = [this.#element.querySelector("canvas"), this.#element.querySelector("p")];
    const context = canvas?.getContext("2d");
    if (!canvas || !text || !context) return;
    this.#drawImage(canvas, context, point);
    text.textContent = this.#describe(point);
    this.#element.hidden = false;
    const frame = this.#element.parentElement ?? document.body;
    const { offsetWidth: width, offsetHeight: height } = this.#element;
    const left = x > frame.clientWidth / 2 ? x - distance - width : x + distance;
    const top = Math.min(Math.max(0, y - height / 2), frame.clientHeight - height);
    this.#element.style.transform = `translate(${Math.max(0, Math.round(left))}px, ${Math.round(top)}px)`;
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {CanvasRenderingContext2D} context
   * @param {number} point
   */
  #drawImage(canvas, context, point) {
    const { width, height } = this.#sprite.size(side);
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    this.#sprite.draw(context, point, { x: 0, y: 0, width: canvas.width, height: canvas.height });
  }

  /** @param {number} point */
  #describe(point) {
    const { names, clusters, labels, scores } = this.#data;
    const lines = [
      names[point],
      `cluster ${clusters.names[clusters.values[point]]}, score ${scores[point].toFixed(2)}`,
    ];
    if (labels !== undefined) lines.push(`label ${labels.names[labels.values[point]]}`);
    return lines.join("\n");
  }
}
