/** The copies of one picture, in stacks. */
import { copyCount, type Stack } from "../images/duplicates/stacks.ts";
import { counted, whole } from "../numeric/format.ts";
import { type Html, html } from "./html.ts";
import { imageList } from "./image-list.ts";
import { boxFor } from "./pictures.ts";
import type { Section } from "./section.ts";
import { imageName, type Subject } from "./subject.ts";

/** The largest stacks are shown, and of each the first. */
const mostStacks = 24;
const mostMembers = 6;
const mostPixels = 1_000_000;

export async function stacksSection(subject: Subject): Promise<Section | undefined> {
  const { stacks } = subject;
  if (stacks.length === 0) return undefined;
  const shown = stacks.toSorted((a, b) => b.length - a.length || a[0].image - b[0].image).slice(0, mostStacks);
  const box = boxFor(subject.dataset.image, shown.length * mostMembers, mostPixels);
  const rows = await Promise.all(shown.map((stack) => stackRow(subject, stack, box)));
  const copies = copyCount(stacks);
  const rest = stacks.length - shown.length;
  return {
    id: "copies",
    title: "Copies",
    body: html`<p>${counted(copies, "file")} ${copies === 1 ? "shows" : "show"} the same picture as another one: the same bytes, or resized, cropped a little or saved anew. Each picture counted once. <code>duplicates.csv</code> lists them all; the best of a stack comes first, the largest and sharpest.</p>
<div class="stacks">${rows}</div>
${rest > 0 ? html`<p>${whole(rest)} more are not shown.</p>` : undefined}`,
  };
}

async function stackRow(subject: Subject, stack: Stack, box: number): Promise<Html> {
  const shown = stack.slice(0, mostMembers);
  const listed = shown.map(({ image, kind, width, height }, index) => ({
    image,
    caption: kind === "exact" ? "same bytes" : `${width} × ${height}`,
    ...(index === mostMembers - 1 && stack.length > mostMembers ? { badge: `+${stack.length - mostMembers}` } : {}),
  }));
  return html`<div><p>${imageName(subject, stack[0].image)}</p>${await imageList(subject, listed, box)}</div>
`;
}
