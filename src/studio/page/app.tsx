/** The page: what is shown in the phase that the studio is in, at the address where a person is. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Banners, Toast } from "./parts/notices.tsx";
import { TopBar } from "./parts/top-bar.tsx";
import { MergeSheet, MoveSheet, NewClusterSheet } from "./sheets/choose-cluster.tsx";
import { ConflictsSheet, ContradictionsSheet, HelpSheet } from "./sheets/help.tsx";
import { OrganizeSheet } from "./sheets/organize.tsx";
import { openSheet } from "./sheets/sheet.tsx";
import { SplitSheet } from "./sheets/split.tsx";
import { route } from "./state/route.ts";
import { studio } from "./state/studio.ts";
import { ImageView } from "./views/image.tsx";
import { Images } from "./views/images.tsx";
import { Learned } from "./views/learned.tsx";
import { MapView } from "./views/map.tsx";
import { Questions } from "./views/questions.tsx";
import { Start } from "./views/start.tsx";
import { Training } from "./views/training.tsx";
import { Wall } from "./views/wall.tsx";

export function App(): JSX.Element {
  const state = studio.value;
  useEffect(() => {
    document.title = state === undefined ? "boostcluster studio" : `${state.title} · boostcluster studio`;
  }, [state?.title]);
  return (
    <div class={state?.pixelated ? "studio pixelated" : "studio"}>
      <TopBar />
      <Banners />
      <Place />
      <Toast />
      <CurrentSheet />
    </div>
  );
}

function Place(): JSX.Element {
  const phase = studio.value?.phase;
  if (phase === undefined) return <main class="view" aria-busy="true" />;
  if (phase === "images") return <Start />;
  if (phase === "training") return <Training />;
  const now = route.value;
  switch (now.view) {
    case "wall":
      return <Wall />;
    case "map":
      return <MapView />;
    case "questions":
      return <Questions />;
    case "learned":
      return <Learned />;
    case "images":
      return <Images of={now.of} listing={now.listing} />;
    case "image":
      return <ImageView image={now.image} />;
  }
}

function CurrentSheet(): JSX.Element | null {
  const sheet = openSheet.value;
  switch (sheet?.kind) {
    case undefined:
      return null;
    case "move":
      return <MoveSheet {...sheet} />;
    case "name-new":
      return <NewClusterSheet {...sheet} />;
    case "merge":
      return <MergeSheet {...sheet} />;
    case "split":
      return <SplitSheet {...sheet} />;
    case "organize":
      return <OrganizeSheet />;
    case "help":
      return <HelpSheet />;
    case "conflicts":
      return <ConflictsSheet />;
    case "contradictions":
      return <ContradictionsSheet />;
  }
}
