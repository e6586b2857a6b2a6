/** Decisions: sent to the server, and told to the person once they are on its disk. */
import { signal } from "@preact/signals";
import type { DecisionRequest, StudioState } from "../../api.ts";
import { listSettled } from "./list.ts";
import { notice, report } from "./notice.ts";
import { clearSelection } from "./selection.ts";
import { postState } from "./server.ts";
import { clusterName, readOnly, studio, take } from "./studio.ts";
import { counted } from "./words.ts";

/** While an answer is awaited. */
export const busy = signal(false);

async function send(path: string, body?: unknown): Promise<StudioState | undefined> {
  if (busy.value) return undefined;
  busy.value = true;
  try {
    const state = await postState(path, body);
    take(state);
    // What is done next is done to images that are there now.
    await listSettled();
    return state;
  } catch (error) {
    report(error);
    return undefined;
  } finally {
    busy.value = false;
  }
}

export interface DecideOptions {
  /** Without a message: what is shown next says it. Default: false. */
  readonly silent?: boolean;
}

/** Whether it was done. */
export async function decide(request: DecisionRequest, { silent = false }: DecideOptions = {}): Promise<boolean> {
  if (readOnly.value) {
    report(studio.value?.readOnly);
    return false;
  }
  const text = inWords(request);
  const state = await send("decisions", request);
  if (state === undefined) return false;
  if (!silent) notice.value = { text, undoable: true, error: false };
  if (request.kind !== "rename" && request.kind !== "confirm") clearSelection();
  return true;
}

/** What was undone last here, in words. */
export const undone = signal<{ readonly what: string } | undefined>(undefined);

export async function undo({ silent = false }: DecideOptions = {}): Promise<void> {
  const what = studio.value?.undo;
  if (what === undefined || (await send("undo")) === undefined) return;
  undone.value = { what };
  if (!silent) notice.value = { text: `Undone: ${what}`, undoable: false, error: false };
}

export async function redo(): Promise<void> {
  const what = studio.value?.redo;
  if (what !== undefined && (await send("redo")) !== undefined)
    notice.value = { text: `Done again: ${what}`, undoable: true, error: false };
}

/** Learning from what was decided; accepting is a decision like others. */
export const learn = (what: "start" | "stop" | "discard"): Promise<StudioState | undefined> => send(`learning/${what}`);

/** Whether it was done. */
export async function accept(images: readonly number[]): Promise<boolean> {
  if ((await send("learning/accept", { images })) === undefined) return false;
  notice.value = { text: `${counted(images.length, "image")} follow what was learned`, undoable: true, error: false };
  return true;
}

/** Starting, stopping and continuing to train. */
export const train = (what: "start" | "stop" | "continue", body?: unknown): Promise<StudioState | undefined> =>
  send(`training/${what}`, body);

/** Said before it is sent: afterwards a merged cluster has no name any more. */
function inWords(request: DecisionRequest): string {
  switch (request.kind) {
    case "rename":
      return request.name === ""
        ? `${clusterName(request.cluster)} has no name any more`
        : `${clusterName(request.cluster)} is now “${request.name}”`;
    case "merge":
      return `${request.clusters.map(clusterName).join(", ")} merged`;
    case "split":
      return `${clusterName(request.cluster)} split in ${request.parts.length + 1}`;
    case "move":
      return `${counted(request.images.length, "image")} moved to ${destination(request.to)}`;
    case "aside":
      return `${counted(request.images.length, "image")} put aside`;
    case "take-back":
      return `${counted(request.images.length, "image")} taken back`;
    case "confirm":
      return `${counted(request.images.length, "image")} confirmed`;
    case "same":
      return "These two belong together";
    case "different":
      return "These two do not belong together";
  }
}

const destination = (to: number | { readonly name?: string }): string =>
  typeof to === "number" ? clusterName(to) : to.name ? `the new cluster “${to.name}”` : "a new cluster";
