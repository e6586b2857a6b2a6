/** The clusters as a wall of cards: by size, score or name; some of them selected to be merged. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ClusterFacts } from "../../api.ts";
import { rename } from "../parts/cluster-title.tsx";
import { learnNow, TeachBar, teach } from "../parts/teach-bar.tsx";
import { decide } from "../state/decide.ts";
import { useKeys } from "../state/keys.ts";
import { between, clearSelection, selectedClusters, toggled, withAll } from "../state/selection.ts";
import { clusterName, clusters, readOnly, studio } from "../state/studio.ts";
import { counted } from "../state/words.ts";
import { ClusterCard, focusCard, focusLookedAt } from "./cluster-card.tsx";

type Order = "size" | "score" | "name";

const sought = signal("");
const order = signal<Order>("size");

const compare: Readonly<Record<Order, (a: ClusterFacts, b: ClusterFacts) => number>> = {
  size: (a, b) => b.size - a.size,
  // The least certain first: they need a look most.
  score: (a, b) => (a.meanScore ?? 2) - (b.meanScore ?? 2),
  name: (a, b) => clusterName(a.cluster).localeCompare(clusterName(b.cluster), undefined, { numeric: true }),
};

export function Wall(): JSX.Element {
  const wall = useRef<HTMLUListElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const anchor = useRef<number | undefined>(undefined);
  const shown = clusters.value
    .filter(({ cluster }) => clusterName(cluster).toLowerCase().includes(sought.value.trim().toLowerCase()))
    .toSorted(compare[order.value]);
  const numbers = shown.map(({ cluster }) => cluster);

  const select = (cluster: number, extend: boolean): void => {
    const from = extend && anchor.current !== undefined ? numbers.indexOf(anchor.current) : -1;
    selectedClusters.value =
      from >= 0
        ? withAll(selectedClusters.value, between(numbers, from, numbers.indexOf(cluster)))
        : toggled(selectedClusters.value, cluster);
    anchor.current = cluster;
  };
  useLayoutEffect(focusLookedAt, []);
  const merge = async (): Promise<void> => {
    // The largest keeps its number.
    const merged = clusters.value.filter(({ cluster }) => selectedClusters.value.has(cluster)).toSorted(compare.size);
    if (merged.length < 2) return;
    const done = await decide({ kind: "merge", clusters: merged.map(({ cluster }) => cluster) });
    if (done) focusCard(merged[0].cluster);
  };
  const withFocus = (use: (cluster: number) => void) => () => {
    const cluster = focusedCluster();
    if (cluster !== undefined) use(cluster);
  };
  const step = (direction: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown") => () => {
    const now = focusedCluster();
    if (now === undefined) return focusCard(numbers[0]);
    const columns = columnsOf(wall.current);
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[direction];
    focusCard(numbers[numbers.indexOf(now) + by]);
  };
  useKeys({
    ArrowLeft: step("ArrowLeft"),
    ArrowRight: step("ArrowRight"),
    ArrowUp: step("ArrowUp"),
    ArrowDown: step("ArrowDown"),
    x: withFocus((cluster) => select(cluster, false)),
    "Shift+x": withFocus((cluster) => select(cluster, true)),
    r: withFocus(rename),
    F2: withFocus(rename),
    m: merge,
    "/": () => filter.current?.focus(),
    ...(readOnly.value ? {} : { t: teach, l: learnNow }),
    Escape: clearSelection,
  });
  return (
    <main class="view">
      <div class="tools">
        <input
          ref={filter}
          type="search"
          aria-label="Filter clusters by name"
          placeholder="Filter by name"
          value={sought.value}
          onInput={({ currentTarget }) => {
            sought.value = currentTarget.value;
          }}
        />
        <label>
          Sort by{" "}
          <select
            value={order.value}
            onChange={({ currentTarget: { value } }) => {
              if (value === "size" || value === "score" || value === "name") order.value = value;
            }}
          >
            <option value="size">size</option>
            <option value="score">score, least certain first</option>
            <option value="name">name</option>
          </select>
        </label>
        <span class="soft summary" role="status">
          {summary(shown.length)}
        </span>
        <TeachBar />
      </div>
      <ul class="cards" ref={wall} aria-label="Clusters">
        {shown.map((facts) => (
          <ClusterCard key={facts.cluster} facts={facts} onSelect={(extend) => select(facts.cluster, extend)} />
        ))}
      </ul>
      {selectedClusters.value.size > 0 && (
        <div class="action-bar" role="toolbar" aria-label="Selected clusters">
          <b role="status">{counted(selectedClusters.value.size, "cluster")}</b>
          {!readOnly.value && (
            <button type="button" class="primary" disabled={selectedClusters.value.size < 2} onClick={merge}>
              Merge <kbd>M</kbd>
            </button>
          )}
          <button type="button" class="plain" onClick={clearSelection}>
            Clear <kbd>Esc</kbd>
          </button>
        </div>
      )}
    </main>
  );
}

function summary(shown: number): string {
  const { count = 0, moved = 0, confirmed = 0 } = studio.value ?? {};
  const decided = [
    moved > 0 ? `${counted(moved, "image")} moved by you` : "",
    confirmed > 0 ? `${confirmed} confirmed` : "",
  ];
  return [counted(shown, "cluster"), counted(count, "image"), ...decided].filter((part) => part !== "").join(" · ");
}

function focusedCluster(): number | undefined {
  const card = document.activeElement?.closest<HTMLElement>("[data-cluster]");
  return card === null || card === undefined ? undefined : Number(card.dataset.cluster);
}

/** How many cards are beside each other now. */
function columnsOf(wall: HTMLElement | null): number {
  const tops = [...(wall?.children ?? [])].map((card) => card.getBoundingClientRect().top);
  return Math.max(1, tops.filter((top) => top === tops[0]).length);
}
