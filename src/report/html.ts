/**
 * HTML that is safe by construction: everything in a template is escaped, unless it is already HTML. File names and
 * labels may contain anything.
 */

/** Markup, which goes into the page unescaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The values of a template; undefined adds nothing. */
export type HtmlPart = string | number | Html | undefined | readonly HtmlPart[];

export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(texts.map((text, index) => text + rendered(parts[index])).join(""));
}

function rendered(part: HtmlPart): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return part.map(rendered).join("");
}

/** For text and for attributes in double quotes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** Data for a script of the page. "<" is written as an escape within strings, so that no data can end the element. */
export const jsonElement = (id: string, data: unknown): Html =>
  html`<script type="application/json" id="${id}">${new Html(JSON.stringify(data).replaceAll("<", "\\u003c"))}</script>`;
