/** All images of a cluster, of all clusters, or those that were put aside. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ActionBar } from "../parts/actions.tsx";
import { ClusterTitle, rename } from "../parts/cluster-title.tsx";
import { Dot } from "../parts/dot.tsx";
import { ImageGrid } from "../parts/image-grid.tsx";
import { openSheet } from "../sheets/sheet.tsx";
import { useKeys } from "../state/keys.ts";
import { active, listed } from "../state/list.ts";
import { go, imagePath, type Listing, wallPath } from "../state/route.ts";
import { clearSelection, selection } from "../state/selection.ts";
import { clusterFacts, clusterName, readOnly } from "../state/studio.ts";
import { counted } from "../state/words.ts";
import { noteLookedAt } from "./cluster-card.tsx";
import { ListingTools } from "./listing-tools.tsx";

export interface ImagesProps {
  /** A cluster's number, "aside" or "all". */
  readonly of: string;
  readonly listing: Listing;
}

export function Images({ of, listing }: ImagesProps): JSX.Element {
  const shown = listed(of, listing);
  const cluster = of === "aside" || of === "all" ? undefined : Number(of);
  const name = nameOf(of, listing);
  const grid = useRef<HTMLElement>(null);
  const focusGrid = (): void => grid.current?.querySelector<HTMLElement>(".grid")?.focus();
  useEffect(() => noteLookedAt(cluster), [cluster]);
  useKeys({
    Escape: () => (selection.value.size > 0 ? clearSelection() : go(wallPath)),
    ...(cluster === undefined || readOnly.value
      ? {}
      : {
          r: () => rename(cluster),
          F2: () => rename(cluster),
          p: () => split(cluster),
          g: () => merge(cluster),
        }),
  });
  return (
    <main class="view filled" ref={grid}>
      <div class="heading">
        {cluster === undefined ? (
          <h1>{name}</h1>
        ) : (
          <>
            <Dot colour={clusterFacts(cluster)?.colour} />
            <ClusterTitle cluster={cluster} onEnd={focusGrid}>
              <h1>{name}</h1>
            </ClusterTitle>
          </>
        )}
        <span class="soft" role="status">
          {shown && counted(shown.images.length, "image")}
        </span>
        {cluster !== undefined && !readOnly.value && (
          <div class="heading-actions">
            <button type="button" onClick={() => split(cluster)}>
              Split… <kbd>P</kbd>
            </button>
            <button type="button" onClick={() => merge(cluster)}>
              Merge with… <kbd>G</kbd>
            </button>
          </div>
        )}
      </div>
      <ListingTools of={of} listing={listing} onLeave={focusGrid} />
      {shown === undefined ? (
        <p class="soft">Looking them up…</p>
      ) : shown.images.length === 0 ? (
        <p class="empty soft">{emptyText(of, listing)}</p>
      ) : (
        <ImageGrid
          key={`${of}?${shown.query}`}
          images={shown.images}
          label={name}
          onOpen={(image) => go(imagePath(image))}
        />
      )}
      <ActionBar
        current={shown?.images[active.value]}
        aside={of === "aside"}
        {...(cluster === undefined ? {} : { cluster, among: clusterFacts(cluster)?.size ?? 0 })}
      />
    </main>
  );
}

function split(cluster: number): void {
  openSheet.value = { kind: "split", cluster };
}

function merge(cluster: number): void {
  openSheet.value = { kind: "merge", cluster };
}

function nameOf(of: string, { like }: Listing): string {
  if (of === "aside") return "Put aside";
  if (of !== "all") return clusterName(Number(of));
  return like === undefined ? "All images" : "Images like this one";
}

function emptyText(of: string, listing: Listing): string {
  const { least, most, state, name } = listing;
  if ([least, most, state, name].some((filter) => filter !== undefined)) return "No image passes this filter.";
  return of === "aside" ? "Nothing was put aside. Images that belong nowhere can wait here." : "No image is here.";
}
