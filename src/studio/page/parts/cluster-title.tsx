/** The name of a cluster, which can be changed in place. */
import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { decide } from "../state/decide.ts";
import { clusterFacts, clusterName, readOnly } from "../state/studio.ts";

/** The cluster whose name is being changed. */
export const renaming = signal<number | undefined>(undefined);

export function rename(cluster: number): void {
  if (!readOnly.value) renaming.value = cluster;
}

export interface ClusterTitleProps {
  readonly cluster: number;
  /** What shows the name while it is not changed. */
  readonly children: ComponentChildren;
  /** After the name was changed, or not: where the focus goes. */
  readonly onEnd: () => void;
}

export function ClusterTitle({ cluster, children, onEnd }: ClusterTitleProps): JSX.Element {
  if (renaming.value === cluster) return <NameField cluster={cluster} onEnd={onEnd} />;
  return (
    <>
      {children}
      {!readOnly.value && (
        <button
          type="button"
          class="plain rename"
          aria-label={`Rename ${clusterName(cluster)}`}
          title="Rename (R)"
          onClick={() => rename(cluster)}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M11.3 2.2l2.5 2.5-8 8-3.1.6.6-3.1z" />
          </svg>
        </button>
      )}
    </>
  );
}

function NameField({ cluster, onEnd }: Omit<ClusterTitleProps, "children">): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const before = clusterFacts(cluster)?.name ?? "";
  useLayoutEffect(() => input.current?.select(), []);
  const end = (): void => {
    renaming.value = undefined;
    // Once the name is there again.
    queueMicrotask(onEnd);
  };
  const save = async (): Promise<void> => {
    if (renaming.peek() !== cluster) return;
    const name = input.current?.value.trim() ?? before;
    end();
    if (name !== before) await decide({ kind: "rename", cluster, name });
  };
  return (
    <form
      class="name-field"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        ref={input}
        type="text"
        aria-label={`Name of ${clusterName(cluster)}`}
        defaultValue={before}
        placeholder={`Cluster ${cluster}`}
        autocomplete="off"
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          end();
        }}
      />
    </form>
  );
}
