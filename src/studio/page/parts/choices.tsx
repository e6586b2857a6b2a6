/** Clusters to choose from, each with its typical images. */
import type { ComponentChildren, JSX } from "preact";
import { clusterFacts, clusterName } from "../state/studio.ts";
import { counted } from "../state/words.ts";
import { Dot } from "./dot.tsx";
import { Thumbnail } from "./thumbnail.tsx";

export const Choices = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <ul class="cluster-choices" aria-label={label}>
    {children}
  </ul>
);

export interface ChoiceProps {
  readonly cluster: number;
  /** The key that chooses it. */
  readonly sign?: string;
  /** Default: its typical images. */
  readonly images?: readonly number[];
  /** Default: it is only shown. */
  readonly onChoose?: () => void;
  /** Whether images are shown in several rows. Default: false. */
  readonly large?: boolean;
}

export function Choice({ cluster, sign, images, onChoose, large = false }: ChoiceProps): JSX.Element {
  const facts = clusterFacts(cluster);
  const shown = (images ?? facts?.typical ?? []).slice(0, 12);
  const content = (
    <>
      <span class="choice-title">
        {sign && <kbd>{sign}</kbd>}
        <Dot colour={facts?.colour} />
        <b class="choice-name">{clusterName(cluster)}</b>
        <span class="soft">{counted(facts?.size ?? 0, "image")}</span>
      </span>
      <span class="choice-images">
        {shown.map((image) => (
          <Thumbnail key={image} image={image} />
        ))}
      </span>
    </>
  );
  return (
    <li class={large ? "large-choice" : ""}>
      {onChoose === undefined ? (
        <div class="choice">{content}</div>
      ) : (
        <button type="button" class="choice" onClick={onChoose} aria-keyshortcuts={sign}>
          {content}
        </button>
      )}
    </li>
  );
}
