/** The map: every dot is an image, near similar ones; click or lasso to select. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { zoomStep } from "../../../report/page/gestures.js";
import { ActionBar } from "../parts/actions.tsx";
import { Dot } from "../parts/dot.tsx";
import { MapCanvas } from "../parts/map-canvas.ts";
import { MapTip } from "../parts/map-tip.tsx";
import { useKeys } from "../state/keys.ts";
import { map, mapDone, mapGroups, wantMap } from "../state/map.ts";
import { go, wallPath } from "../state/route.ts";
import { clearSelection, selection, toggled, withAll } from "../state/selection.ts";
import { clusterName, clusters } from "../state/studio.ts";
import { counted, formatted } from "../state/words.ts";

export function MapView(): JSX.Element {
  useEffect(() => void wantMap(), []);
  useKeys({ Escape: () => (selection.value.size > 0 ? clearSelection() : go(wallPath)) });
  return (
    <main class="view">
      {map.value === undefined ? (
        <p class="soft" role="status">
          The map is computed: {Math.round(100 * mapDone.value)} %
        </p>
      ) : (
        <DrawnMap images={map.value.images} places={map.value.places} />
      )}
      <ActionBar />
    </main>
  );
}

interface DrawnMapProps {
  readonly images: readonly number[];
  readonly places: readonly number[];
}

function DrawnMap({ images, places }: DrawnMapProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<MapCanvas | undefined>(undefined);
  const [lasso, setLasso] = useState(false);
  const lassoes = useRef(false);
  lassoes.current = lasso;
  const [pointed, setPointed] = useState<{ readonly image: number; readonly x: number; readonly y: number }>();
  const groups = mapGroups(images);

  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const made = new MapCanvas(
      element,
      { images, places },
      {
        onPoint: (point, x, y) => setPointed(point === undefined ? undefined : { image: images[point], x, y }),
        onClick: (point, extend) => {
          if (point === undefined) return extend ? undefined : clearSelection();
          selection.value = extend ? toggled(selection.value, images[point]) : new Set([images[point]]);
        },
        onLasso: (points, extend) => {
          const inside = points.map((point) => images[point]);
          selection.value = extend ? withAll(selection.value, inside) : new Set(inside);
        },
        lassoes: (event) => lassoes.current || event.shiftKey,
      },
    );
    drawing.current = made;
    const observer = new ResizeObserver(([{ contentRect }]) => made.resize(contentRect.width));
    observer.observe(element);
    element.focus({ preventScroll: true });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const redraw = (): void => made.draw();
    scheme.addEventListener("change", redraw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener("change", redraw);
    };
  }, [images, places]);
  const selected = selection.value;
  useEffect(() => {
    drawing.current?.show({
      groups,
      ...(selected.size === 0 ? {} : { chosen: (point: number) => selected.has(images[point]) }),
    });
  });
  const zoom = (change: (drawn: MapCanvas) => void) => () => {
    if (drawing.current === undefined) return;
    change(drawing.current);
    drawing.current.draw();
  };
  return (
    <div class="map">
      <div class="map-frame">
        <canvas
          ref={canvas}
          class={lasso ? "map-canvas lassoing" : "map-canvas"}
          tabIndex={0}
          role="img"
          aria-label={`Map of ${counted(images.length, "image")}: arrow keys move it, plus and minus zoom`}
        />
        {pointed && <MapTip {...pointed} />}
        <div class="map-tools">
          <button type="button" aria-pressed={lasso} onClick={() => setLasso(!lasso)}>
            Lasso
          </button>
          <button type="button" aria-label="Zoom in" onClick={zoom(({ view }) => view.zoomAt(zoomStep))}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={zoom(({ view }) => view.zoomAt(1 / zoomStep))}>
            −
          </button>
          <button type="button" onClick={zoom(({ view }) => view.reset())}>
            All
          </button>
        </div>
      </div>
      <div class="map-side">
        <p class="hint">
          Every dot is an image; near ones are similar. Click selects, Shift and drag draws a lasso, the wheel zooms.
        </p>
        <ul class="legend" aria-label="Clusters">
          {clusters.value.map(({ cluster, colour, size }) => (
            <li key={cluster}>
              <button type="button" onClick={() => selectCluster(groups.values, images, cluster)}>
                <Dot colour={colour} />
                <span class="choice-name">{clusterName(cluster)}</span>
                <span class="soft">{formatted(size)}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Those of it that are on the map. */
function selectCluster(values: readonly number[], images: readonly number[], cluster: number): void {
  const group = clusters.value.findIndex((facts) => facts.cluster === cluster);
  selection.value = new Set(images.filter((_, point) => values[point] === group));
}
