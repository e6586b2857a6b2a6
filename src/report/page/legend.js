/** The groups as buttons, and the card of the selected one. */
import { byId } from "./data.js";

/** @typedef {import("./data.js").Groups} Groups */

/**
 * @param {Groups} groups
 * @param {number | undefined} selected
 * @param {(group: number) => void} onChoose
 */
export function showLegend(groups, selected, onChoose) {
  const present = new Set(groups.values);
  const items = groups.names.flatMap((name, group) => {
    if (!present.has(group)) return [];
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-pressed", String(group === selected));
    const dot = document.createElement("i");
    dot.className = "dot";
    dot.style.background = groups.colours[group];
    button.append(dot, name);
    button.addEventListener("click", () => onChoose(group));
    const item = document.createElement("li");
    item.append(button);
    return [item];
  });
  byId("map-legend", HTMLUListElement).replaceChildren(...items);
}

/**
 * Marks the selected group; the buttons stay, and so does the focus.
 * @param {Groups} groups
 * @param {number | undefined} selected
 */
export function markLegend(groups, selected) {
  const present = [...new Set(groups.values)].sort((a, b) => a - b);
  byId("map-legend", HTMLUListElement)
    .querySelectorAll("button")
    .forEach((button, index) => {
      button.setAttribute("aria-pressed", String(present[index] === selected));
    });
}

/**
 * A copy of the cluster's card beside the map.
 * @param {number | undefined} cluster
 */
export function showCard(cluster) {
  const place = byId("map-card", HTMLDivElement);
  const copy = document.getElementById(`cluster-${cluster}`)?.cloneNode(true);
  if (!(copy instanceof HTMLElement)) return place.replaceChildren();
  copy.removeAttribute("id");
  copy.querySelector(".to-map")?.remove();
  place.replaceChildren(copy);
}
