/** Which images of a run to show, and in which order. */
import { type Decided, sayers } from "../../runs/decisions/fold-decisions.ts";
import type { RunTable } from "./run-table.ts";

/** What a person has said of an image. */
export const imageStates = ["aside", "moved", "confirmed", "undecided"] as const;
export type ImageState = (typeof imageStates)[number];

export interface ImageQuery {
  readonly of: number | "aside" | "all";
  /** "doubt": those first whose two best clusters are nearly as likely. */
  readonly order: "score" | "doubt" | "likeness";
  /** The image that others are like. */
  readonly like?: number | undefined;
  /** Scores from here on. */
  readonly least?: number | undefined;
  /** Scores up to here. */
  readonly most?: number | undefined;
  readonly state?: ImageState | undefined;
  /** A part of the item's name, in capitals or not. */
  readonly name?: string | undefined;
}

/** `distances`: from the image that others are like. */
export function orderedImages(
  query: ImageQuery,
  {
    table,
    decided,
    distances,
  }: { readonly table: RunTable; readonly decided: Decided; readonly distances?: Float32Array },
): Int32Array<ArrayBuffer> {
  const { of, order, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, state } = query;
  const { scores, margins } = table;
  const sought = query.name?.toLowerCase() ?? "";
  const wanted = of === "aside" ? -1 : of;
  const found: number[] = [];
  for (let image = 0; image < table.count; image++)
    if (
      (wanted === "all" || decided.cluster[image] === wanted) &&
      scores[image] >= least &&
      scores[image] <= most &&
      (state === undefined || isInState(image, state, decided)) &&
      (sought === "" || table.items[image].toLowerCase().includes(sought))
    )
      found.push(image);
  const images = Int32Array.from(found);
  if (order === "likeness" && distances !== undefined)
    return images.sort((a, b) => distances[a] - distances[b] || a - b);
  if (order === "doubt") return images.sort((a, b) => margins[a] - margins[b] || a - b);
  return images.sort((a, b) => scores[b] - scores[a] || a - b);
}

function isInState(image: number, state: ImageState, { cluster, by, confirmed }: Decided): boolean {
  const aside = cluster[image] < 0;
  const moved = by[image] === sayers.person && !aside;
  switch (state) {
    case "aside":
      return aside;
    case "moved":
      return moved;
    case "confirmed":
      return confirmed[image] === 1;
    case "undecided":
      return !aside && !moved && confirmed[image] === 0;
  }
}
