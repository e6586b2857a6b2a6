/** An image, large: what the model says, what the person has decided, what is like it, where it is on the map. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ImageDetails } from "../../api.ts";
import { ActionButtons, imageActions, keysOf } from "../parts/actions.tsx";
import { Dot } from "../parts/dot.tsx";
import { SmallMap } from "../parts/small-map.tsx";
import { Thumbnail } from "../parts/thumbnail.tsx";
import { useKeys } from "../state/keys.ts";
import { active, list, renewList, showList } from "../state/list.ts";
import { map, wantMap } from "../state/map.ts";
import { report } from "../state/notice.ts";
import { go, imagePath, imagesPath, lastPlace, replace } from "../state/route.ts";
import { getDetails } from "../state/server.ts";
import { clusterFacts, clusterName, pictureOf, revision, studio } from "../state/studio.ts";
import { formatted, score } from "../state/words.ts";

export function ImageView({ image }: { readonly image: number }): JSX.Element {
  const details = useDetails(image);
  const view = useRef<HTMLElement>(null);
  useLayoutEffect(() => view.current?.focus({ preventScroll: true }), []);
  useEffect(() => void wantMap(), []);
  const images = list.value?.images;
  const place = images?.indexOf(image) ?? -1;
  useEffect(() => {
    if (place >= 0) active.value = place;
  }, [place]);
  useEffect(() => renewList(), [revision.value]);

  const step = (by: number) => () => {
    // Where the image has left the list, the list's place is where it was.
    const from = place >= 0 ? place : active.value - (by > 0 ? 1 : 0);
    const next = images?.[from + by];
    if (next !== undefined) replace(imagePath(next));
  };
  // The image may be known before the list of its cluster is.
  const home = details && (details.cluster ?? "aside");
  const back = (): void => go(lastPlace ?? imagesPath(list.value?.of ?? home ?? "all"));
  const actions =
    details === undefined
      ? []
      : imageActions({
          images: [image],
          aside: details.cluster === undefined,
          ...(details.cluster === undefined ? {} : { cluster: details.cluster }),
        });
  useKeys({
    ArrowLeft: step(-1),
    ArrowRight: step(1),
    Escape: back,
    ...keysOf(actions),
  });
  return (
    <main class="view looking" ref={view} tabIndex={-1}>
      <figure class="large">
        <img
          key={image}
          src={pictureOf(image)}
          alt={details?.name ?? `Image ${image}`}
          class={studio.value?.pixelated ? "pixelated" : ""}
        />
        <figcaption class="paging">
          <button type="button" class="plain" onClick={back}>
            Back <kbd>Esc</kbd>
          </button>
          <button type="button" aria-label="Previous image" disabled={place === 0} onClick={step(-1)}>
            ←
          </button>
          <span class="soft" role="status">
            {place >= 0 && images && `${formatted(place + 1)} of ${formatted(images.length)}`}
          </span>
          <button
            type="button"
            aria-label="Next image"
            disabled={place === (images?.length ?? 0) - 1}
            onClick={step(1)}
          >
            →
          </button>
        </figcaption>
      </figure>
      <div class="about">
        {details && <About details={details} />}
        <div class="about-actions" role="toolbar" aria-label="This image">
          <ActionButtons actions={actions} />
        </div>
        {details && details.neighbours.length > 0 && (
          <section>
            <h2>Most like it</h2>
            <div class="strip">
              {details.neighbours.map((neighbour) => (
                <a key={neighbour} href={imagePath(neighbour)} aria-label={`Image ${neighbour}`}>
                  <Thumbnail image={neighbour} />
                </a>
              ))}
            </div>
          </section>
        )}
        {details?.place && (
          <SmallMap place={details.place} {...(details.cluster === undefined ? {} : { cluster: details.cluster })} />
        )}
      </div>
    </main>
  );
}

/** Asked for again whenever something was decided, and once there is a map. Where there is no list to go through, it is the image's cluster's. */
function useDetails(image: number): ImageDetails | undefined {
  const [details, setDetails] = useState<ImageDetails>();
  useEffect(() => {
    const controller = new AbortController();
    getDetails(image, controller.signal).then(
      (found) => {
        setDetails(found);
        if (list.peek() === undefined) showList(String(found.cluster ?? "aside"), "order=score");
      },
      (error) => !controller.signal.aborted && report(error),
    );
    return () => controller.abort();
  }, [image, revision.value, map.value]);
  return details?.image === image ? details : undefined;
}

function About({ details }: { readonly details: ImageDetails }): JSX.Element {
  const { name, cluster, modelCluster, by, confirmed, width, height } = details;
  return (
    <>
      <h1 class="file-name">{name}</h1>
      {width !== undefined && height !== undefined && (
        <p class="soft">
          {width} × {height}
        </p>
      )}
      <dl class="answers">
        <div class={by === "person" || confirmed ? "by-person" : ""}>
          <dt>
            {by === "person" ? "You say" : by === "learned" ? "It has learned" : "It is in"}
            {by === "person" && <span class="badge moved">decided by you</span>}
            {confirmed && <span class="badge confirmed">✓ confirmed</span>}
          </dt>
          <dd>{cluster === undefined ? "put aside" : <ClusterLink cluster={cluster} />}</dd>
        </div>
        <div>
          <dt>{by === "learned" ? "At first it said" : "The model says"}</dt>
          <dd>
            <ClusterLink cluster={modelCluster} />
            <Bar value={details.score} />
          </dd>
        </div>
        {details.secondCluster !== undefined && details.secondScore !== undefined && (
          <div>
            <dt>or else</dt>
            <dd>
              <ClusterLink cluster={details.secondCluster} />
              <Bar value={details.secondScore} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** One of the model's that was merged away has a number, but no page. */
function ClusterLink({ cluster }: { readonly cluster: number }): JSX.Element {
  const facts = clusterFacts(cluster);
  if (facts === undefined) return <span>{clusterName(cluster)}</span>;
  return (
    <a href={imagesPath(cluster)}>
      <Dot colour={facts.colour} />
      {clusterName(cluster)}
    </a>
  );
}

const Bar = ({ value }: { readonly value: number }): JSX.Element => (
  <span class="score-bar">
    <span class="track">
      <i style={{ width: `${100 * value}%` }} />
    </span>
    <span>{score(value)}</span>
  </span>
);
