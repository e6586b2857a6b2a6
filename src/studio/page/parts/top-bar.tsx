/** Where a person can go, and what can be done anywhere. */
import type { JSX } from "preact";
import { openSheet } from "../sheets/sheet.tsx";
import { busy, redo, undo } from "../state/decide.ts";
import { useKeys } from "../state/keys.ts";
import { go, imagesPath, mapPath, type Route, route, wallPath } from "../state/route.ts";
import { readOnly, studio } from "../state/studio.ts";
import { formatted } from "../state/words.ts";

export function TopBar(): JSX.Element {
  const state = studio.value;
  const looking = state?.phase === "run";
  useKeys({
    "?": help,
    ...(looking
      ? {
          "Mod+z": () => void undo(),
          "Mod+Shift+z": redo,
          "Mod+y": redo,
        }
      : {}),
    // Where questions are asked, digits are answers.
    ...(looking && route.value.view !== "questions"
      ? {
          1: () => go(wallPath),
          2: () => go(imagesPath("all")),
          3: () => go(mapPath),
          4: () => go(imagesPath("aside")),
        }
      : {}),
  });
  return (
    <header class="top-bar">
      <span class="title">{state?.title ?? "boostcluster studio"}</span>
      {looking && (
        <>
          <Places aside={state.aside} />
          <div class="top-actions">
            <HistoryButton label="Undo" sign="↶" what={state.undo} onClick={() => undo()} />
            <HistoryButton label="Redo" sign="↷" what={state.redo} onClick={redo} />
            {state.organizable && (
              <button
                type="button"
                onClick={() => {
                  openSheet.value = { kind: "organize" };
                }}
              >
                Organize…
              </button>
            )}
            <button type="button" class="plain" aria-label="Keys" title="Keys (?)" onClick={help}>
              ?
            </button>
          </div>
        </>
      )}
    </header>
  );
}

const isCluster = (now: Route): boolean => now.view === "images" && now.of !== "all" && now.of !== "aside";

function help(): void {
  openSheet.value = { kind: "help" };
}

function Places({ aside }: { readonly aside: number }): JSX.Element {
  const now = route.value;
  const places = [
    { path: wallPath, label: "Clusters", here: now.view === "wall" || isCluster(now) },
    { path: imagesPath("all"), label: "All images", here: now.view === "images" && now.of === "all" },
    { path: mapPath, label: "Map", here: now.view === "map" },
    {
      path: imagesPath("aside"),
      label: aside > 0 ? `Aside ${formatted(aside)}` : "Aside",
      here: now.view === "images" && now.of === "aside",
    },
  ];
  return (
    <nav aria-label="Views">
      {places.map(({ path, label, here }) => (
        <a key={path} href={path} aria-current={here ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

interface HistoryButtonProps {
  readonly label: string;
  readonly sign: string;
  readonly what: string | undefined;
  readonly onClick: () => void;
}

const HistoryButton = ({ label, sign, what, onClick }: HistoryButtonProps): JSX.Element => (
  <button
    type="button"
    aria-label={label}
    title={what === undefined ? `Nothing to ${label.toLowerCase()}` : `${label}: ${what}`}
    disabled={what === undefined || busy.value || readOnly.value}
    onClick={onClick}
  >
    <span aria-hidden="true">{sign}</span>
  </button>
);
