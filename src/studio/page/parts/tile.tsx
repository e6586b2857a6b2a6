/** An image in a grid. What a person has decided about it is told apart from what the model says. */
import type { JSX } from "preact";
import type { ImageFacts } from "../../api.ts";
import { score } from "../state/words.ts";
import { Thumbnail } from "./thumbnail.tsx";

export interface TileProps {
  readonly id: string;
  readonly image: number;
  readonly facts: ImageFacts | undefined;
  readonly place: number;
  readonly count: number;
  readonly selected: boolean;
  readonly active: boolean;
}

export function Tile({ id, image, facts, place, count, selected, active }: TileProps): JSX.Element {
  return (
    // Focus and keys are the grid's: options are pointed at by aria-activedescendant.
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      id={id}
      role="option"
      class={`tile${active ? " active" : ""}${facts?.by === "person" ? " by-person" : ""}`}
      data-place={place}
      aria-label={facts === undefined ? `Image ${image}` : inWords(facts)}
      aria-selected={selected}
      aria-setsize={count}
      aria-posinset={place + 1}
      title={facts?.name}
    >
      <Thumbnail image={image} />
      {facts && <Marks facts={facts} />}
      {facts && <span class="tile-score">{score(facts.score)}</span>}
    </div>
  );
}

export function Marks({ facts }: { readonly facts: ImageFacts }): JSX.Element | null {
  if (facts.confirmed) return <span class="badge confirmed">✓</span>;
  if (facts.by === "person") return <span class="badge moved">you</span>;
  if (facts.by === "learned") return <span class="badge">learned</span>;
  return null;
}

function inWords({ name, score: value, by, confirmed }: ImageFacts): string {
  const state = confirmed
    ? ", confirmed by you"
    : by === "person"
      ? ", decided by you"
      : by === "learned"
        ? ", learned"
        : "";
  return `${name}, score ${score(value)}${state}`;
}
