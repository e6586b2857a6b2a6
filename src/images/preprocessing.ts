/**
 * How an image file becomes what a model takes, for those who run the model elsewhere: what `sources/decode.ts` does, in
 * words and in Python.
 */
import type { ImageSize } from "./image.ts";
import type { Fit } from "./sources/decode.ts";

export interface Preprocessing {
  /** In one line. */
  readonly words: string;
  /** Lines that read a file and leave `images`, float32 [1, channels, height, width]. */
  readonly python: (file: string) => string;
}

/** What the lines of Python need. */
export const pythonImports = `import numpy
from PIL import Image, ImageOps`;

/** Each way to bring an image to a size. */
const fitting: Readonly<Record<Fit, { readonly words: string; readonly pillow: (size: string) => string }>> = {
  cover: {
    words: "what is too long is cut off, evenly",
    pillow: (size) => `ImageOps.fit(image, ${size}, Image.LANCZOS)`,
  },
  contain: {
    words: "between white bars",
    pillow: (size) => `ImageOps.pad(image, ${size}, Image.LANCZOS, color="white")`,
  },
  fill: { words: "stretched", pillow: (size) => `image.resize(${size}, Image.LANCZOS)` },
};

/** Lines that leave `image`, upright and on white. */
export const uprightInPython = (file: string): string =>
  `image = ImageOps.exif_transpose(Image.open(${JSON.stringify(file)})).convert("RGBA")
image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")`;

/** Pillow's own grey is made of sRGB as it is: there, red is as dark as 76 of 255, and not 127. */
const greyInPython = `linear = numpy.where(pixels > 0.04045, ((pixels + 0.055) / 1.055) ** 2.4, pixels / 12.92)
grey = linear @ numpy.float32([0.2126, 0.7152, 0.0722])
images = numpy.where(grey > 0.0031308, 1.055 * grey ** (1 / 2.4) - 0.055, 12.92 * grey)[None, None]`;

export function preprocessing({ channels, height, width }: ImageSize, fit: Fit): Preprocessing {
  const { words, pillow } = fitting[fit];
  const colour = channels === 1 ? "grey (the sRGB value of its luminance)" : "RGB";
  return {
    words: `turn upright as EXIF says, put on white, resize to ${height}x${width} (${words}), ${colour}, divide by 255`,
    python: (file) => `${uprightInPython(file)}
pixels = numpy.asarray(${pillow(`(${width}, ${height})`)}, numpy.float32) / 255
${channels === 1 ? greyInPython : "images = pixels.transpose(2, 0, 1)[None]"}`,
  };
}
