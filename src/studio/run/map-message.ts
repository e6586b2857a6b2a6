/** What the process that computes a map says. */
import type { MapData } from "../api.ts";

export type MapMessage = MapData | { readonly done: number } | { readonly failed: string };

/** Coordinates are from 0 to this. */
export const mapExtent = 10_000;
