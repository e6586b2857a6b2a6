/** A cluster on the wall. */
import type { JSX } from "preact";
import type { ClusterFacts } from "../../api.ts";
import { ClusterTitle } from "../parts/cluster-title.tsx";
import { Dot } from "../parts/dot.tsx";
import { Thumbnail } from "../parts/thumbnail.tsx";
import { imagesPath } from "../state/route.ts";
import { selectedClusters } from "../state/selection.ts";
import { clusterName } from "../state/studio.ts";
import { counted, score } from "../state/words.ts";

export interface ClusterCardProps {
  readonly facts: ClusterFacts;
  /** `extend`: all from the one that was selected last. */
  readonly onSelect: (extend: boolean) => void;
}

export function ClusterCard({ facts, onSelect }: ClusterCardProps): JSX.Element {
  const { cluster, colour, size, typical } = facts;
  const name = clusterName(cluster);
  return (
    <li class={selectedClusters.value.has(cluster) ? "card selected" : "card"} data-cluster={cluster}>
      <header>
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={selectedClusters.value.has(cluster)}
          onClick={(event) => onSelect(event.shiftKey)}
        />
        <Dot colour={colour} />
        <ClusterTitle cluster={cluster} onEnd={() => focusCard(cluster)}>
          <h2>
            <a href={imagesPath(cluster)}>{name}</a>
          </h2>
        </ClusterTitle>
      </header>
      <p class="soft">{inWords(facts)}</p>
      <div class="typical">
        {typical.slice(0, 12).map((image) => (
          <Thumbnail key={image} image={image} />
        ))}
        {size === 0 && <span class="soft">No image is here any more.</span>}
      </div>
    </li>
  );
}

function inWords({ size, meanScore, moved, confirmed, made }: ClusterFacts): string {
  return [
    counted(size, "image"),
    meanScore === undefined ? "" : `score ${score(meanScore)}`,
    made ? "made by you" : "",
    // Of a cluster that was made of them, that says nothing new.
    moved > 0 && !(made && moved === size) ? `${moved} moved here` : "",
    confirmed > 0 ? `${confirmed} confirmed` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** The cluster that was looked at last. */
let lookedAt: number | undefined;

export function noteLookedAt(cluster: number | undefined): void {
  lookedAt = cluster;
}

/** Where a person was before they looked at a cluster, unless they are somewhere already. */
export function focusLookedAt(): void {
  if (document.activeElement === document.body) focusCard(lookedAt);
}

export function focusCard(cluster: number | undefined): void {
  document.querySelector<HTMLElement>(`[data-cluster="${cluster}"] h2 a`)?.focus();
}
