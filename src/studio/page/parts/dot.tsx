import type { JSX } from "preact";

/** The colour of a cluster. */
export const Dot = ({ colour }: { readonly colour: string | undefined }): JSX.Element => (
  <i class="dot" style={{ background: colour ?? "var(--soft)" }} />
);
