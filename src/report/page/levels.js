/** The slider of coarser and finer groups. At the level of the clusters, the page shows their own cards. */
import { byId } from "./data.js";

/**
 * @typedef {object} Group
 * @property {string} title
 * @property {string} note
 * @property {number} from The levels at which it is there.
 * @property {number} to
 * @property {string[]} colours Of its clusters, as CSS.
 * @property {number[]} images Indices into the list of all.
 *
 * @typedef {object} LevelsData
 * @property {number} clusters The level of the clusters.
 * @property {Group[]} groups
 * @property {number} width Of every image.
 * @property {number} height
 * @property {{ uri: string, name: string, title: string }[]} images
 */

/** Runs without a tree have no slider. */
export function listenToLevels() {
  const script = document.getElementById("levels-data");
  if (!(script instanceof HTMLScriptElement)) return;
  /** @type {LevelsData} */
  const data = JSON.parse(script.text);
  const range = byId("level", HTMLInputElement);
  const number = byId("level-number", HTMLInputElement);
  const back = byId("level-clusters", HTMLButtonElement);
  byId("levels", HTMLDivElement).hidden = false;
  const show = (/** @type {number} */ level) => {
    range.value = String(level);
    number.value = String(level);
    back.disabled = level === data.clusters;
    showLevel(data, level);
  };
  range.addEventListener("input", () => show(range.valueAsNumber));
  number.addEventListener("change", () => show(within(number)));
  back.addEventListener("click", () => {
    // A button that is disabled loses the focus; the slider is where one goes on.
    range.focus();
    show(data.clusters);
  });
  // A browser may keep the slider's place when the page is loaded again.
  show(data.clusters);
}

/** @param {HTMLInputElement} input */
function within(input) {
  const wanted = Math.round(input.valueAsNumber);
  return Math.min(Number(input.max), Math.max(Number(input.min), wanted || Number(input.defaultValue)));
}

/**
 * @param {LevelsData} data
 * @param {number} level
 */
function showLevel(data, level) {
  const own = byId("level-cards", HTMLDivElement);
  const isClusters = level === data.clusters;
  for (const cards of document.querySelectorAll("#clusters .cards"))
    if (cards instanceof HTMLElement) cards.hidden = isClusters === (cards === own);
  const groups = isClusters ? [] : data.groups.filter(({ from, to }) => from <= level && level <= to);
  own.replaceChildren(...groups.map((group) => cardOf(group, data)));
  byId("level-note", HTMLParagraphElement).textContent = noteOn(level, data.clusters);
}

/**
 * @param {number} level
 * @param {number} clusters
 */
function noteOn(level, clusters) {
  if (level === clusters) return "These are the run's clusters. Move the slider for coarser or finer groups.";
  if (level < clusters) return `${level} groups: the nearest clusters are together.`;
  return `${level} groups: the loosest clusters fall into parts.`;
}

/**
 * @param {Group} group
 * @param {LevelsData} data
 */
function cardOf({ title, note, colours, images }, data) {
  const heading = element("h3", "");
  heading.append(...colours.map(dotOf), title);
  const list = element("ul", "images");
  list.append(...images.map((image) => itemOf(data.images[image], data)));
  const text = element("p", "");
  text.textContent = note;
  const card = element("article", "card");
  card.append(heading, text, list);
  return card;
}

/** @param {string} colour */
function dotOf(colour) {
  const dot = element("i", "dot");
  dot.style.background = colour;
  return dot;
}

/**
 * @param {LevelsData["images"][number]} image
 * @param {LevelsData} data
 */
function itemOf({ uri, name, title }, { width, height }) {
  const picture = document.createElement("img");
  Object.assign(picture, { src: uri, alt: name, title, width, height });
  const item = element("li", "");
  item.append(picture);
  return item;
}

/**
 * @param {string} tag
 * @param {string} className
 */
function element(tag, className) {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}
