/** Clusters to choose from by typing part of a name; a name that is not there can be a new cluster. */
import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import type { ClusterFacts } from "../../api.ts";
import { Dot } from "../parts/dot.tsx";
import { clusterName, clusters } from "../state/studio.ts";
import { formatted } from "../state/words.ts";

export interface PaletteProps {
  readonly label: string;
  /** One that cannot be chosen. */
  readonly without?: number;
  readonly onChoose: (cluster: number) => void;
  /** Default: only clusters that exist. */
  readonly onNew?: (name: string) => void;
}

interface Choice {
  readonly key: string;
  readonly facts?: ClusterFacts;
  readonly text: string;
  readonly choose: () => void;
}

export function Palette({ label, without, onChoose, onNew }: PaletteProps): JSX.Element {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const options = useRef<HTMLDivElement>(null);
  const choices = choicesFor(typed, { without, onChoose, onNew });
  const marked = Math.min(at, choices.length - 1);
  const mark = (next: number): void => {
    const wrapped = (next + choices.length) % Math.max(1, choices.length);
    setAt(wrapped);
    options.current?.children[wrapped]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") mark(marked + 1);
    else if (event.key === "ArrowUp") mark(marked - 1);
    else if (event.key === "Enter") choices[marked]?.choose();
    else return;
    event.preventDefault();
  };
  return (
    <div class="palette">
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={marked >= 0 ? `${id}-${marked}` : undefined}
        autocomplete="off"
        placeholder={onNew ? "Name of a cluster, or a new name" : "Name of a cluster"}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="choices" id={id} ref={options} role="listbox" aria-label="Clusters">
        {choices.map(({ key, facts, text, choose }, index) => (
          <div
            key={key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === marked}
            onClick={choose}
            onKeyDown={onKeyDown}
          >
            {facts === undefined ? <span class="plus">+</span> : <Dot colour={facts.colour} />}
            <span class="choice-name">{text}</span>
            {facts && <span class="soft">{formatted(facts.size)}</span>}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="soft">No cluster is called that.</p>}
    </div>
  );
}

function choicesFor(
  typed: string,
  {
    without,
    onChoose,
    onNew,
  }: { without: number | undefined; onChoose(cluster: number): void; onNew: PaletteProps["onNew"] },
): readonly Choice[] {
  const sought = typed.trim();
  const found = clusters.value
    .filter(({ cluster }) => cluster !== without)
    .map((facts): Choice & { readonly place: number } => {
      const text = clusterName(facts.cluster);
      const place = text.toLowerCase().indexOf(sought.toLowerCase());
      return { key: String(facts.cluster), facts, text, place, choose: () => onChoose(facts.cluster) };
    })
    .filter(({ place }) => place >= 0)
    .sort((a, b) => a.place - b.place);
  const known = found.some(({ text }) => text.toLowerCase() === sought.toLowerCase());
  if (onNew === undefined || known) return found;
  const text = sought === "" ? "New cluster" : `New cluster “${sought}”`;
  return [...found, { key: "new", text, choose: () => onNew(sought) }];
}
