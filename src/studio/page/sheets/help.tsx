/** All keys, what earlier decisions could not be applied to, and which contradict one another. */
import type { JSX } from "preact";
import { contradictions } from "../state/contradictions.ts";
import { modName as mod } from "../state/keys.ts";
import { studio } from "../state/studio.ts";
import { Sheet } from "./sheet.tsx";

const groups: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    title: "Everywhere",
    keys: [
      [`${mod} Z`, "undo"],
      [`Shift ${mod} Z`, "redo"],
      ["1", "clusters"],
      ["2", "all images"],
      ["3", "map"],
      ["4", "put aside"],
      ["Esc", "clear the selection, go back"],
      ["?", "this help"],
    ],
  },
  {
    title: "Clusters",
    keys: [
      ["← → ↑ ↓", "go from card to card"],
      ["Enter", "open"],
      ["X", "select"],
      ["Shift X", "select up to here"],
      ["R or F2", "rename"],
      ["M", "merge what is selected"],
      ["/", "filter by name"],
      ["T", "teach: answer questions"],
      ["L", "learn from what you decided"],
    ],
  },
  {
    title: "Questions",
    keys: [
      ["1 2 3 …", "that cluster"],
      ["N", "a new cluster; different"],
      ["Y", "the same"],
      ["M", "another cluster…"],
      ["A", "put aside"],
      ["S or Space", "skip"],
      ["U", "undo the last answer"],
      [`${mod} Enter`, "accept what was learned"],
    ],
  },
  {
    title: "Images",
    keys: [
      ["← → ↑ ↓", "go from image to image"],
      ["Space", "select"],
      ["Shift ← →", "select on the way"],
      [`${mod} A`, "select all"],
      ["Enter", "look at it large"],
      ["M", "move to…"],
      ["N", "new cluster"],
      ["A", "put aside"],
      ["B", "take back"],
      ["C", "confirm"],
      ["S", "split off what is selected"],
      ["P", "split the cluster into parts"],
      ["G", "merge the cluster with…"],
      ["R or F2", "rename the cluster"],
      ["L", "find more like this"],
      ["/", "filter by name"],
    ],
  },
  {
    title: "Map",
    keys: [
      ["← → ↑ ↓", "move"],
      ["+ − 0", "zoom in, out, all"],
      ["Shift drag", "lasso"],
    ],
  },
];

export function HelpSheet(): JSX.Element {
  return (
    <Sheet title="Keys" wide>
      <div class="keys">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

export function ContradictionsSheet(): JSX.Element {
  return (
    <Sheet title="Decisions that contradict earlier ones">
      <p>Of two, the later one holds. If it is the wrong one, decide once more.</p>
      <ul>
        {contradictions.value.map((contradiction) => (
          <li key={contradiction}>{contradiction}</li>
        ))}
      </ul>
    </Sheet>
  );
}

export function ConflictsSheet(): JSX.Element {
  return (
    <Sheet title="Earlier decisions that do not fit">
      <p>They were made for other clusters of these images. They are kept, but change nothing here.</p>
      <ul>
        {studio.value?.conflicts.map((conflict) => (
          <li key={conflict}>{conflict}</li>
        ))}
      </ul>
    </Sheet>
  );
}
