/** The image under the pointer, beside it, where there is more room. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { factsOf } from "../state/facts.ts";
import { clusterName } from "../state/studio.ts";
import { score } from "../state/words.ts";
import { Thumbnail } from "./thumbnail.tsx";

/** From the pointer, in CSS pixels. */
const distance = 16;

export interface MapTipProps {
  readonly image: number;
  readonly x: number;
  readonly y: number;
}

export function MapTip({ image, x, y }: MapTipProps): JSX.Element {
  const tip = useRef<HTMLDivElement>(null);
  const facts = factsOf(image);
  useLayoutEffect(() => {
    const [element, frame] = [tip.current, tip.current?.parentElement];
    if (!element || !frame) return;
    const left = x > frame.clientWidth / 2 ? x - distance - element.offsetWidth : x + distance;
    const top = Math.min(Math.max(0, y - element.offsetHeight / 2), frame.clientHeight - element.offsetHeight);
    element.style.transform = `translate(${Math.max(0, Math.round(left))}px, ${Math.round(top)}px)`;
  });
  return (
    <div class="map-tip" ref={tip}>
      <Thumbnail key={image} image={image} />
      {facts && (
        <p>
          {facts.name}
          <br />
          <span class="soft">
            {facts.cluster === undefined ? "put aside" : clusterName(facts.cluster)}, score {score(facts.score)}
          </span>
        </p>
      )}
    </div>
  );
}
