/** In which order images are listed, and which of them. The address keeps it. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { Thumbnail } from "../parts/thumbnail.tsx";
import { useKeys } from "../state/keys.ts";
import { active, list } from "../state/list.ts";
import { imagesPath, type Listing, type Order, replace, stateIn } from "../state/route.ts";

export interface ListingToolsProps {
  readonly of: string;
  readonly listing: Listing;
  /** On to the images. */
  readonly onLeave: () => void;
}

export function ListingTools({ of, listing, onLeave }: ListingToolsProps): JSX.Element {
  const name = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => name.current?.focus() });
  const change = (changes: { readonly [Name in keyof Listing]?: Listing[Name] | undefined }): void => {
    const kept = Object.entries({ ...listing, ...changes }).filter(([, value]) => value !== undefined);
    replace(imagesPath(of, { order: listing.order, ...Object.fromEntries(kept) }));
  };
  const setOrder = (order: Order): void => {
    // Likeness is to the image where a person is, unless one was given.
    const like = order === "likeness" ? (listing.like ?? list.value?.images[active.value]) : undefined;
    change({ order: order === "likeness" && like === undefined ? "score" : order, like });
  };
  return (
    <div class="tools">
      <input
        ref={name}
        type="search"
        aria-label="Filter images by name"
        placeholder="Filter by name"
        maxLength={200}
        value={listing.name ?? ""}
        onInput={({ currentTarget: { value } }) => change({ name: value === "" ? undefined : value })}
        onKeyDown={({ key }) => key === "Enter" && onLeave()}
      />
      <label>
        Order{" "}
        <select
          value={listing.order}
          onChange={({ currentTarget: { value } }) => {
            if (value === "score" || value === "doubt" || value === "likeness") setOrder(value);
          }}
        >
          <option value="score">most certain first</option>
          <option value="doubt">most doubtful first</option>
          <option value="likeness">by likeness</option>
        </select>
      </label>
      {listing.like !== undefined && (
        <span class="like">
          to <Thumbnail image={listing.like} />
        </span>
      )}
      <fieldset class="range">
        <legend>Score</legend>
        <ScoreField label="Least score" value={listing.least} empty="0" onChange={(least) => change({ least })} />
        –
        <ScoreField label="Most score" value={listing.most} empty="1" onChange={(most) => change({ most })} />
      </fieldset>
      {of !== "aside" && (
        <label>
          Show{" "}
          <select
            value={listing.state ?? ""}
            onChange={({ currentTarget }) => change({ state: undefined, ...stateIn(currentTarget.value) })}
          >
            <option value="">all</option>
            <option value="moved">moved by you</option>
            <option value="confirmed">confirmed by you</option>
            <option value="undecided">not decided by you</option>
          </select>
        </label>
      )}
    </div>
  );
}

interface ScoreFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly empty: string;
  readonly onChange: (value: number | undefined) => void;
}

const ScoreField = ({ label, value, empty, onChange }: ScoreFieldProps): JSX.Element => (
  <input
    type="number"
    aria-label={label}
    min="0"
    max="1"
    step="0.05"
    placeholder={empty}
    value={value ?? ""}
    onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? undefined : currentTarget.valueAsNumber)}
  />
);
