/** What can be done with images: buttons, and the same by keys. */
import type { JSX } from "preact";
import { openSheet } from "../sheets/sheet.tsx";
import { decide } from "../state/decide.ts";
import { useKeys } from "../state/keys.ts";
import { go, imagePath, imagesPath } from "../state/route.ts";
import { clearSelection, selection } from "../state/selection.ts";
import { readOnly } from "../state/studio.ts";
import { counted } from "../state/words.ts";

interface ImageAction {
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
}

export interface ImageActionsOptions {
  readonly images: readonly number[];
  /** Where they are: a cluster's number; undefined where they may be of several. */
  readonly cluster?: number;
  /** Whether they were put aside. Default: false. */
  readonly aside?: boolean;
  /** How many images are in the same place: all of them cannot be split off. Default: any number. */
  readonly among?: number;
}

export function imageActions({ images, cluster, aside = false, among }: ImageActionsOptions): readonly ImageAction[] {
  if (images.length === 0) return [];
  const from = cluster === undefined ? {} : { from: cluster };
  const changing: readonly ImageAction[] = [
    { key: "m", label: "Move to…", run: () => open({ kind: "move", images, ...from }) },
    { key: "n", label: "New cluster", run: () => open({ kind: "name-new", images }) },
    ...(cluster === undefined || images.length === among
      ? []
      : [{ key: "s", label: "Split off", run: () => open({ kind: "name-new", images, splitOf: cluster }) }]),
    aside
      ? { key: "b", label: "Take back", run: () => void decide({ kind: "take-back", images }) }
      : { key: "a", label: "Put aside", run: () => void decide({ kind: "aside", images }) },
    ...(aside ? [] : [{ key: "c", label: "Confirm", run: () => void decide({ kind: "confirm", images }) }]),
  ];
  const [first] = images;
  const looking: readonly ImageAction[] =
    images.length === 1
      ? [{ key: "l", label: "More like this", run: () => go(imagesPath("all", { order: "likeness", like: first })) }]
      : [];
  return [...(readOnly.value ? [] : changing), ...looking];
}

function open(sheet: typeof openSheet.value): void {
  openSheet.value = sheet;
}

export const keysOf = (actions: readonly ImageAction[]): Record<string, () => void> =>
  Object.fromEntries(actions.map(({ key, run }) => [key, run]));

export const ActionButtons = ({ actions }: { readonly actions: readonly ImageAction[] }): JSX.Element => (
  <>
    {actions.map(({ key, label, run }) => (
      <button key={key} type="button" onClick={run} aria-keyshortcuts={key}>
        {label} <kbd>{key.toUpperCase()}</kbd>
      </button>
    ))}
  </>
);

/** At the foot of the page while images are selected. Keys work on the image where a person is, too. */
export function ActionBar({
  current,
  ...place
}: Omit<ImageActionsOptions, "images"> & { readonly current?: number | undefined }): JSX.Element | null {
  const selected = [...selection.value];
  const actions = imageActions({ ...place, images: selected });
  const here = current === undefined ? [] : [current];
  useKeys(keysOf(selected.length > 0 ? actions : imageActions({ ...place, images: here })));
  if (selected.length === 0) return null;
  return (
    <div class="action-bar" role="toolbar" aria-label="Selected images">
      <b role="status">{counted(selected.length, "image")}</b>
      <ActionButtons actions={actions} />
      {selected.length === 1 && (
        <button type="button" onClick={() => go(imagePath(selected[0]))}>
          Look
        </button>
      )}
      <button type="button" class="plain" onClick={clearSelection}>
        Clear <kbd>Esc</kbd>
      </button>
    </div>
  );
}
