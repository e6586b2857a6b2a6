/** What the server says the state is, kept up to date by its events. */
import { computed, signal } from "@preact/signals";
import type { ClusterFacts, StudioEvent, StudioState, TrainingState } from "../../api.ts";
import { getState } from "./server.ts";

export const studio = signal<StudioState | undefined>(undefined);
export const training = signal<TrainingState | undefined>(undefined);
/** While it learns from decisions. */
export const learning = signal<TrainingState | undefined>(undefined);
/** Why there is nothing to show, or what is shown may be out of date. */
export const trouble = signal<string | undefined>(undefined);

export const revision = computed(() => studio.value?.revision ?? 0);
export const readOnly = computed(() => studio.value?.readOnly !== undefined);
export const clusters = computed<readonly ClusterFacts[]>(() => studio.value?.clusters ?? []);
const byNumber = computed(() => new Map(clusters.value.map((facts) => [facts.cluster, facts])));

export const clusterFacts = (cluster: number): ClusterFacts | undefined => byNumber.value.get(cluster);

export const clusterName = (cluster: number): string => clusterFacts(cluster)?.name || `Cluster ${cluster}`;

const pictures = computed(() => studio.value?.pictures ?? "");
export const thumbnailOf = (image: number): string => `api/images/${image}/thumbnail?of=${pictures.value}`;
export const pictureOf = (image: number): string => `api/images/${image}/picture?of=${pictures.value}`;

/** An answer that is older than what is known already changes nothing. */
export function take(state: StudioState): void {
  if (studio.value !== undefined && state.revision < studio.value.revision) return;
  studio.value = state;
  training.value = state.training;
  learning.value = state.learning;
}

export async function refresh(): Promise<void> {
  try {
    take(await getState());
    trouble.value = undefined;
  } catch (error) {
    trouble.value = error instanceof Error ? error.message : String(error);
  }
}

/** Events of this tab's own changes and of others'. The browser reconnects by itself. */
export function follow(): void {
  const events = new EventSource("api/events");
  // Also after a connection was lost, when the server may have started anew and count from the beginning.
  events.addEventListener("open", async () => {
    if (trouble.value !== undefined) studio.value = undefined;
    await refresh();
  });
  events.addEventListener("error", () => {
    trouble.value = "The studio does not answer. Trying again…";
    if (events.readyState === EventSource.CLOSED) setTimeout(again, 2000);
  });
  const again = (): void => {
    events.close();
    follow();
  };
  events.addEventListener("message", ({ data }) => hear(JSON.parse(data)));
}

function hear(event: StudioEvent): void {
  if (event.kind === "training") training.value = event.training;
  else if (event.kind === "learning") learning.value = event.learning;
  else if (event.revision !== revision.value) void refresh();
}
