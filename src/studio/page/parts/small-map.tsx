/** Where one image is on the map: its cluster stands out, itself is marked. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Painter } from "../../../report/page/painter.js";
import { View } from "../../../report/page/view.js";
import { extent, map, mapGroups } from "../state/map.ts";
import { mapPath } from "../state/route.ts";
import { clusters } from "../state/studio.ts";

/** In CSS pixels. */
const side = 220;

const withoutImages = { ready: () => false, size: () => ({ width: 0, height: 0 }), draw: () => {} };

export interface SmallMapProps {
  /** From 0 to 1 along both axes. */
  readonly place: readonly [x: number, y: number];
  readonly cluster?: number;
}

export function SmallMap({ place: [x, y], cluster }: SmallMapProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { images = [], places = [] } = map.value ?? {};
  const groups = { ...mapGroups(images), names: [] };
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!canvas.current || !context || images.length === 0) return;
    const view = new View(images.length, extent);
    view.side = side;
    const selected = clusters.value.findIndex((facts) => facts.cluster === cluster);
    new Painter(canvas.current, places, withoutImages).draw({ view, groups, ...(selected >= 0 ? { selected } : {}) });
    context.strokeStyle = getComputedStyle(canvas.current).color;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(view.toScreenX(x * extent), view.toScreenY(y * extent), 7, 0, 2 * Math.PI);
    context.stroke();
  });
  return (
    <section>
      <h2>Its place on the map</h2>
      <a class="small-map" href={mapPath} aria-label="The map">
        <canvas ref={canvas} />
      </a>
    </section>
  );
}
