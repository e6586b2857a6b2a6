/** The page: one file that needs no other and can reach none. */
import { createHash } from "node:crypto";
import type { Contents } from "./contents.ts";
import { Html, html } from "./html.ts";
import { pageScript, pageStyle } from "./page-files.ts";
import { renderSection } from "./section.ts";

export function renderPage({ title, pixelated, summary, sections }: Contents): string {
  const script = pageScript();
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: clusters</title>
<style>${new Html(pageStyle())}</style>
</head>
<body class="${pixelated ? "pixelated" : ""}">
<header class="top">
${summary}
<nav aria-label="Contents">${sections.map(
    (section) => html`<a href="#${section.id}">${section.title}</a>
`,
  )}</nav>
</header>
<main>
${sections.map(renderSection)}</main>
<footer>Made by boostcluster.</footer>
<script type="module">${new Html(script)}</script>
</body>
</html>
`;
  return page.text;
}

/** Nothing is fetched, and no other script runs, whatever files and labels are called. */
function policy(script: string): string {
  const hash = createHash("sha256").update(script).digest("base64");
  return `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
}
