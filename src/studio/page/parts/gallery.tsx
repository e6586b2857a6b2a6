import type { JSX } from "preact";
import { studio } from "../state/studio.ts";
import { counted } from "../state/words.ts";
import { Thumbnail } from "./thumbnail.tsx";

export interface GalleryProps {
  readonly images: readonly number[];
  readonly label: string;
}

/** Images to look at, nothing more. */
export const Gallery = ({ images, label }: GalleryProps): JSX.Element => (
  <div
    class={studio.value?.pixelated ? "gallery pixelated" : "gallery"}
    role="img"
    aria-label={`${label}: ${counted(images.length, "image")}`}
  >
    {images.map((image) => (
      <Thumbnail key={image} image={image} />
    ))}
  </div>
);
