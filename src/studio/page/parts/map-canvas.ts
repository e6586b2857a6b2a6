/** The report's map with the studio's images: lasso, thumbnails by number, clusters as decided. */
import { listen } from "../../../report/page/gestures.js";
import { type Groups, Painter } from "../../../report/page/painter.js";
import { nearest, View } from "../../../report/page/view.js";
import { extent } from "../state/map.ts";
import { thumbnailOf } from "../state/studio.ts";

export interface MapReactions {
  /** The point under the pointer, and where it is in CSS pixels; undefined where there is none. */
  readonly onPoint: (point: number | undefined, x: number, y: number) => void;
  readonly onClick: (point: number | undefined, extend: boolean) => void;
  readonly onLasso: (points: readonly number[], extend: boolean) => void;
  /** Whether this pointer draws a lasso rather than moves the map. */
  readonly lassoes: (event: PointerEvent) => boolean;
}

export interface MapScene {
  readonly groups: Groups;
  /** Default: all stand out. */
  readonly chosen?: (point: number) => boolean;
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

export class MapCanvas {
  readonly view: View;
  readonly #canvas: HTMLCanvasElement;
  readonly #places: readonly number[];
  readonly #painter: Painter;
  #scene: MapScene = { groups: { names: [], colours: [], values: [] } };
  #pointed: number | undefined;
  #lasso: readonly Corner[] = [];
  #asked = false;

  constructor(
    canvas: HTMLCanvasElement,
    { images, places }: { readonly images: readonly number[]; readonly places: readonly number[] },
    reactions: MapReactions,
  ) {
    this.#canvas = canvas;
    this.#places = places;
    this.view = new View(images.length, extent);
    this.#painter = new Painter(
      canvas,
      places,
      thumbnailTiles(images, () => this.draw()),
    );
    this.#listen(reactions);
  }

  show(scene: MapScene): void {
    this.#scene = scene;
    this.draw();
  }

  resize(side: number): void {
    this.view.side = side;
    this.draw();
  }

  /** All changes until the next frame are drawn at once. */
  draw(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#painter.draw({
        view: this.view,
        ...this.#scene,
        ...(this.#pointed === undefined ? {} : { pointed: this.#pointed }),
      });
      this.#drawLasso();
    });
  }

  #listen({ onPoint, onClick, onLasso, lassoes }: MapReactions): void {
    const at = (x: number, y: number): number | undefined => nearest(this.view, this.#places, x, y);
    const point = (found: number | undefined, x: number, y: number): void => {
      this.#pointed = found;
      onPoint(found, x, y);
      this.draw();
    };
    listen(this.#canvas, this.view, {
      onMove: () => this.draw(),
      onPoint: (x, y) => point(at(x, y), x, y),
      onLeave: () => point(undefined, 0, 0),
      onClick: (x, y, event) => onClick(at(x, y), event.shiftKey || event.ctrlKey || event.metaKey),
      lasso: {
        starts: lassoes,
        onDraw: (path) => {
          this.#lasso = path;
          this.draw();
        },
        onEnd: (path, event) => {
          this.#lasso = [];
          onLasso(this.#within(path), event.ctrlKey || event.metaKey);
          this.draw();
        },
      },
    });
  }

  /** Points inside a lasso: those from which a ray to the right crosses it an odd number of times. */
  #within(path: readonly Corner[]): readonly number[] {
    const inside: number[] = [];
    for (let point = 0; 2 * point < this.#places.length; point++) {
      const x = this.view.toScreenX(this.#places[2 * point]);
      const y = this.view.toScreenY(this.#places[2 * point + 1]);
      let crossings = 0;
      path.forEach((a, index) => {
        const b = path[(index + 1) % path.length];
        if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) crossings++;
      });
      if (crossings % 2 === 1) inside.push(point);
    }
    return inside;
  }

  #drawLasso(): void {
    const context = this.#canvas.getContext("2d");
    if (context === null || this.#lasso.length < 2) return;
    const style = getComputedStyle(this.#canvas);
    context.beginPath();
    for (const { x, y } of this.#lasso) context.lineTo(x, y);
    context.closePath();
    context.strokeStyle = context.fillStyle = style.getPropertyValue("--link");
    context.lineWidth = 1.5;
    context.stroke();
    context.globalAlpha = 0.12;
    context.fill();
    context.globalAlpha = 1;
  }
}

/** Fetched when they are to be drawn first. */
function thumbnailTiles(images: readonly number[], onLoad: () => void) {
  const loaded = new Map<number, HTMLImageElement>();
  const tileOf = (point: number): HTMLImageElement => {
    const known = loaded.get(point);
    if (known !== undefined) return known;
    const image = new Image();
    image.addEventListener("load", onLoad);
    image.src = thumbnailOf(images[point]);
    loaded.set(point, image);
    return image;
  };
  return {
    ready: () => true,
    size: (side: number, point: number) => {
      const { naturalWidth: width, naturalHeight: height } = tileOf(point);
      const scale = side / Math.max(1, width, height);
      return { width: Math.max(1, width) * scale, height: Math.max(1, height) * scale };
    },
    draw: (
      context: CanvasRenderingContext2D,
      point: number,
      { x, y, width, height }: { x: number; y: number; width: number; height: number },
    ): void => {
      const image = tileOf(point);
      if (image.complete && image.naturalWidth > 0) context.drawImage(image, x, y, width, height);
    },
  };
}
