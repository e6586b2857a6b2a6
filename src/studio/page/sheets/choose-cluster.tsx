/** Sheets in which a cluster is chosen or named. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DecisionRequest } from "../../api.ts";
import { decide } from "../state/decide.ts";
import { clusterName } from "../state/studio.ts";
import { counted } from "../state/words.ts";
import { Palette } from "./palette.tsx";
import { closeSheet, Sheet } from "./sheet.tsx";

async function decideAndClose(request: DecisionRequest): Promise<void> {
  closeSheet();
  await decide(request);
}

export const newCluster = (name: string): { readonly name?: string } => (name === "" ? {} : { name });

type Destination = number | { readonly name?: string };

interface MoveProps {
  readonly images: readonly number[];
  readonly from?: number;
  /** Default: they are moved. */
  readonly onChoose?: (to: Destination) => void;
}

export function MoveSheet({ images, from, onChoose }: MoveProps): JSX.Element {
  const move = (to: Destination): void => {
    closeSheet();
    if (onChoose === undefined) void decide({ kind: "move", images, to });
    else onChoose(to);
  };
  return (
    <Sheet title={`Move ${counted(images.length, "image")} to…`}>
      <Palette
        label="Cluster to move to"
        {...(from === undefined ? {} : { without: from })}
        onChoose={move}
        onNew={(name) => move(newCluster(name))}
      />
    </Sheet>
  );
}

export function MergeSheet({ cluster }: { readonly cluster: number }): JSX.Element {
  return (
    <Sheet title={`Merge ${clusterName(cluster)} with…`}>
      <Palette
        label="Cluster to merge with"
        without={cluster}
        onChoose={(other) => decideAndClose({ kind: "merge", clusters: [cluster, other] })}
      />
    </Sheet>
  );
}

interface NewClusterProps {
  readonly images: readonly number[];
  /** The cluster that they are split off, if it is remembered as that. */
  readonly splitOf?: number;
}

export function NewClusterSheet({ images, splitOf }: NewClusterProps): JSX.Element {
  const [name, setName] = useState("");
  const what = counted(images.length, "image");
  const named = newCluster(name.trim());
  const request: DecisionRequest =
    splitOf === undefined
      ? { kind: "move", images, to: named }
      : { kind: "split", cluster: splitOf, parts: [{ images, ...named }] };
  const submit = (event: Event): void => {
    event.preventDefault();
    void decideAndClose(request);
  };
  return (
    <Sheet
      title={splitOf === undefined ? `A new cluster of ${what}` : `Split ${what} off ${clusterName(splitOf)}`}
      buttons={
        <button type="submit" form="new-cluster" class="primary">
          {splitOf === undefined ? "Make it" : "Split"}
        </button>
      }
    >
      <form id="new-cluster" onSubmit={submit}>
        <label class="field">
          Name
          <input
            type="text"
            placeholder="May be given later"
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
      </form>
    </Sheet>
  );
}
