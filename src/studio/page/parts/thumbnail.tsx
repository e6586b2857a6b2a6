import type { JSX } from "preact";
import { thumbnailOf } from "../state/studio.ts";

/** An image, small. What it is called is said by what holds it. */
export const Thumbnail = ({ image }: { readonly image: number }): JSX.Element => (
  <img class="thumbnail" src={thumbnailOf(image)} alt="" decoding="async" draggable={false} />
);
