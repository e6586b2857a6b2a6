/** The map's points, asked for once, and which cluster each is in, asked for again whenever something was decided. */
import { effect, signal } from "@preact/signals";
import type { MapData } from "../../api.ts";
import { report } from "./notice.ts";
import { getAssignments, getMap } from "./server.ts";
import { clusterName, clusters, revision } from "./studio.ts";

/** Coordinates are from 0 to this. */
export const extent = 10_000;

export const map = signal<MapData | undefined>(undefined);
/** How much of it is computed, from 0 to 1. */
export const mapDone = signal(0);
/** The cluster of each image; −1 where it is put aside. */
export const assignments = signal<Int32Array>(new Int32Array(0));

const pause = 1000;
let asking = false;
let wanted = false;

/** Called by what shows a map. */
export async function wantMap(): Promise<void> {
  if (!wanted) {
    wanted = true;
    void renewAssignments();
  }
  if (asking || map.peek() !== undefined) return;
  asking = true;
  try {
    let answer = await getMap();
    while ("done" in answer) {
      mapDone.value = answer.done;
      await new Promise((resolve) => setTimeout(resolve, pause));
      answer = await getMap();
    }
    map.value = answer;
  } catch (error) {
    report(error);
  }
  asking = false;
}

async function renewAssignments(): Promise<void> {
  try {
    assignments.value = await getAssignments();
  } catch (error) {
    report(error);
  }
}

effect(() => {
  revision.value;
  if (wanted) void renewAssignments();
});

/** The groups that colour the map: the clusters in their order, and what was put aside. */
export function mapGroups(images: readonly number[]) {
  const order = new Map(clusters.value.map(({ cluster }, index) => [cluster, index]));
  const values = images.map((image) => order.get(assignments.value[image]) ?? clusters.value.length);
  return {
    names: [...clusters.value.map(({ cluster, name }) => name || clusterName(cluster).replace("Cluster ", "")), ""],
    colours: [...clusters.value.map(({ colour }) => colour), "var(--line)"],
    values,
  };
}
