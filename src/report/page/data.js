/** The data that the page holds for its script. */

/**
 * @typedef {import("./painter.js").Groups} Groups
 *
 * @typedef {object} MapData Lists have one entry per point.
 * @property {number[]} places Two coordinates each, from 0 to 4095.
 * @property {number[]} scores
 * @property {string[]} names
 * @property {Groups} clusters
 * @property {Groups} [labels]
 * @property {{ columns: number, width: number, height: number, pixelated: boolean }} tiles In the picture of all images.
 */

/** Coordinates are from 0 to this. */
export const extent = 4095;

/**
 * An element that the page must have.
 * @template {Element} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} "${id}"`);
  return element;
}

/** @returns {MapData} */
export const readMapData = () => JSON.parse(byId("map-data", HTMLScriptElement).text);
