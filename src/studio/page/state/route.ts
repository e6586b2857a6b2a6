/** Where a person is, as the address says: reload and back work. */
import { computed, effect, signal } from "@preact/signals";

export type Order = "score" | "doubt" | "likeness";

/** What a person has said of an image. */
export const listedStates = ["moved", "confirmed", "undecided"] as const;
export type ListedState = (typeof listedStates)[number];

export interface Listing {
  readonly order: Order;
  /** The image that others are compared with. */
  readonly like?: number;
  readonly least?: number;
  readonly most?: number;
  readonly state?: ListedState;
  /** A part of the name. */
  readonly name?: string;
}

export type Route =
  | { readonly view: "wall" | "map" | "questions" | "learned" }
  | { readonly view: "images"; readonly of: string; readonly listing: Listing }
  | { readonly view: "image"; readonly image: number };

export const wallPath = "#/";
export const mapPath = "#/map";
export const questionsPath = "#/questions";
export const learnedPath = "#/learned";

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const route = computed(() => parse(hash.value));

/** Where a person was before they looked at images one by one; undefined where they came by the address. */
export let lastPlace: string | undefined;
effect(() => {
  if (route.value.view !== "image") lastPlace = hash.value || wallPath;
});

function parse(text: string): Route {
  const [path, query = ""] = text.replace(/^#\//, "").split("?");
  const [view, rest = ""] = path.split("/");
  if (view === "map" || view === "questions" || view === "learned") return { view };
  if (view === "image" && /^\d+$/.test(rest)) return { view, image: Number(rest) };
  if (view === "aside" || view === "all") return { view: "images", of: view, listing: parseListing(query) };
  if (view === "cluster" && /^\d+$/.test(rest)) return { view: "images", of: rest, listing: parseListing(query) };
  return { view: "wall" };
}

function parseListing(query: string): Listing {
  const given = new URLSearchParams(query);
  const number = (name: string): Record<string, number> => {
    const value = Number.parseFloat(given.get(name) ?? "");
    return Number.isFinite(value) ? { [name]: value } : {};
  };
  const order = given.get("order");
  return {
    order: order === "doubt" || order === "likeness" ? order : "score",
    ...number("like"),
    ...number("least"),
    ...number("most"),
    ...stateIn(given.get("state")),
    ...(given.get("name") ? { name: given.get("name") ?? "" } : {}),
  };
}

export function stateIn(text: string | null): { readonly state?: ListedState } {
  const state = listedStates.find((one) => one === text);
  return state === undefined ? {} : { state };
}

/** As the server takes it, too. */
export function queryOf(listing: Listing): string {
  return new URLSearchParams(Object.entries(listing).map(([name, value]) => [name, String(value)])).toString();
}

export function imagesPath(of: string | number, listing?: Listing): string {
  const place = of === "aside" || of === "all" ? `#/${of}` : `#/cluster/${of}`;
  return listing === undefined || queryOf(listing) === "order=score" ? place : `${place}?${queryOf(listing)}`;
}

export const imagePath = (image: number): string => `#/image/${image}`;

export function go(path: string): void {
  location.hash = path;
}

/** Without an entry of its own in the history: what Back should pass over. */
export function replace(path: string): void {
  history.replaceState(null, "", path);
  hash.value = location.hash;
}
