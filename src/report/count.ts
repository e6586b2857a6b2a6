/** The reasons for the number of clusters, if it was estimated. */
import { countEvidenceFigure } from "../figures/count-evidence.ts";
import { html } from "./html.ts";
import { responsiveFigure, type Section } from "./section.ts";
import type { Subject } from "./subject.ts";

export function countSection({ record: { k, evidence } }: Subject): Section | undefined {
  if (evidence === undefined || evidence.length === 0) return undefined;
  return {
    id: "count",
    title: `Why ${k} clusters`,
    body: html`<p>The number was estimated. Each bar shows how much weaker the links between that many clusters are than those within them; of the numbers with a wide gap, the largest was chosen.</p>
${responsiveFigure((narrow) => countEvidenceFigure({ evidence, k, width: narrow ? 264 : 560 }))}`,
  };
}
