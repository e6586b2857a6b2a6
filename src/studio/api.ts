/**
 * What the page and the server say to each other. Both import this file and nothing else of each other.
 *
 * An image is known by its number, its place in `assignments.csv`; no path is ever sent to the server. Lists of many
 * numbers are sent as the bytes of an Int32Array (little-endian), everything else as JSON.
 *
 * | request | answer |
 * |---|---|
 * | GET  /?token=… | the cookie, and on to / |
 * | GET  /api/studio | `StudioState` |
 * | GET  /api/clusters/N/images?order=score⎮doubt⎮likeness[&like=IMAGE][&least=SCORE][&most=SCORE][&state=…][&name=PART] | Int32Array of image numbers, in order; N may be "aside" or "all" |
 * | GET  /api/assignments | Int32Array: the cluster of each image, as decided; −1 where it is put aside |
 * | GET  /api/images?numbers=1,2,3 (up to 500) | `ImageFacts[]` |
 * | GET  /api/images/N | `ImageDetails` |
 * | GET  /api/images/N/thumbnail, …/N/picture[?of=PICTURES] | a WebP of at most 160 pixels, of at most 1600 |
 * | GET  /api/map | `MapData`; 202 with `{ "done": share }` while it is computed |
 * | POST /api/decisions | `DecisionRequest` → `StudioState`, once the line is on the disk |
 * | POST /api/undo, /api/redo | → `StudioState`; 409 if there is nothing to |
 * | POST /api/split-preview | `SplitPreviewRequest` → `SplitPreview` |
 * | POST /api/organize-preview, /api/organize | `OrganizeRequest` → `OrganizePreview`, `OrganizeResult` |
 * | POST /api/training/start, …/stop, …/continue | `TrainingRequest` (start), `{}` → `StudioState` |
 * | GET  /api/questions?count=N | `Question[]`: what to ask, the most telling first |
 * | GET  /api/contradictions | `string[]`: decisions that contradict earlier ones |
 * | POST /api/learning/start, …/stop, …/discard | `{}` → `StudioState` |
 * | GET  /api/learning/changes | `LearnedChange[]`, against what is decided now |
 * | POST /api/learning/accept | `AcceptRequest` → `StudioState` |
 * | GET  /api/events | server-sent events, `StudioEvent` as JSON in `data` |
 *
 * Errors are `{ "error": "one line" }` with status 400 (malformed), 403 (token, Host, Origin), 404, 409 (not now), 413.
 */

export interface StudioState {
  /** Rises with every change, so that another tab knows that it is behind. */
  readonly revision: number;
  readonly title: string;
  /** Images that are looked at: a run, or images that are to be clustered. */
  readonly phase: "images" | "training" | "run";
  readonly count: number;
  /** Another where numbers stand for other images: a part of the addresses of pictures, which browsers keep. */
  readonly pictures: string;
  /** Why nothing can be changed here, if so. */
  readonly readOnly?: string;
  /** Whether images are small enough to be shown pixel by pixel. */
  readonly pixelated: boolean;
  /** Whether the images are files in a folder, which can be organized. */
  readonly organizable: boolean;
  /** In the phase "run": those with images, and those with a name. */
  readonly clusters: readonly ClusterFacts[];
  readonly aside: number;
  readonly confirmed: number;
  readonly moved: number;
  /** Decisions since something was last learned from which more could be. */
  readonly lessons: number;
  /** While it learns from decisions, and where that was stopped or has failed. */
  readonly learning?: TrainingState;
  /** Images that would go elsewhere by what was learned, which waits to be accepted or discarded. */
  readonly learned?: number;
  /** What undo and redo would do, in words. */
  readonly undo?: string;
  readonly redo?: string;
  /** Decisions of earlier runs that could not be applied to this one, in words. */
  readonly conflicts: readonly string[];
  /** In the phase "images": backbones that can be chosen, those that were added. */
  readonly backbones?: readonly string[];
  readonly training?: TrainingState;
}

export interface ClusterFacts {
  readonly cluster: number;
  /** The person's; undefined where nobody has named it. */
  readonly name?: string;
  readonly colour: string;
  readonly size: number;
  /** Of the images' own scores in the model's clusters; undefined where no image has one. */
  readonly meanScore?: number;
  /** Images that a person has moved here, or confirmed. */
  readonly moved: number;
  readonly confirmed: number;
  /** Image numbers, the most typical first; up to 12. */
  readonly typical: readonly number[];
  /** Whether a person has made it, by splitting or moving. */
  readonly made: boolean;
}

export interface ImageFacts {
  readonly image: number;
  /** The file's name, or what the item is called. */
  readonly name: string;
  /** As decided; undefined where it is put aside. */
  readonly cluster?: number;
  /** The model's own answer. */
  readonly modelCluster: number;
  readonly score: number;
  /** "learned": the model, once it had learned, and a person has accepted that. */
  readonly by: "model" | "person" | "learned";
  readonly confirmed: boolean;
}

export interface ImageDetails extends ImageFacts {
  readonly secondCluster?: number;
  readonly secondScore?: number;
  /** The most similar images, nearest first; up to 24. */
  readonly neighbours: readonly number[];
  /** On the map, from 0 to 1; undefined while it is computed. */
  readonly place?: readonly [x: number, y: number];
  readonly width?: number;
  readonly height?: number;
}

export interface MapData {
  /** Which images are on the map. */
  readonly images: readonly number[];
  /** x and y of each, whole numbers from 0 to 10000. */
  readonly places: readonly number[];
}

/** Clusters and images by their numbers; the server adds keys and examples. */
export type DecisionRequest =
  | { readonly kind: "rename"; readonly cluster: number; readonly name: string }
  | { readonly kind: "merge"; readonly clusters: readonly number[] }
  | {
      readonly kind: "split";
      readonly cluster: number;
      readonly parts: readonly { images: readonly number[]; name?: string }[];
    }
  | {
      readonly kind: "move";
      readonly images: readonly number[];
      readonly to: number | { readonly name?: string };
      /** Whether it answers a question. Default: false. */
      readonly asked?: boolean;
    }
  | { readonly kind: "confirm"; readonly images: readonly number[]; readonly asked?: boolean }
  | { readonly kind: "aside" | "take-back"; readonly images: readonly number[] }
  | { readonly kind: "same" | "different"; readonly images: readonly [number, number] };

/** As `src/methods/dbc/ask.ts` has it. */
export type Question =
  /** Where does this image belong? */
  | {
      readonly kind: "image";
      readonly image: number;
      /** Likely clusters, the likeliest first. */
      readonly candidates: readonly number[];
      /** How many images the answer speaks for. */
      readonly speaksFor: number;
    }
  /** Are these two clusters one and the same thing? */
  | {
      readonly kind: "clusters";
      readonly clusters: readonly [number, number];
      /** Typical images of each. */
      readonly examples: readonly [readonly number[], readonly number[]];
    };

/** Images that would go from one cluster to another, the most certain first. */
export interface LearnedChange {
  readonly from: number;
  readonly to: number;
  readonly images: readonly number[];
}

export interface AcceptRequest {
  /** Of those that would go elsewhere. */
  readonly images: readonly number[];
}

export interface SplitPreviewRequest {
  readonly cluster: number;
  /** How many groups, 2 to 12. */
  readonly parts: number;
}

/** By size; the largest stays what the cluster is. */
export interface SplitPreview {
  readonly parts: readonly { readonly images: readonly number[]; readonly typical: readonly number[] }[];
}

export interface OrganizeRequest {
  readonly by: "link" | "copy" | "move";
}

export interface OrganizePreview {
  readonly out: string;
  readonly folders: readonly { readonly name: string; readonly images: number }[];
  /** Why it cannot be done now, if so. */
  readonly refused?: string;
}

export interface OrganizeResult {
  readonly out: string;
  readonly images: number;
  /** The command that takes it all back, where files were moved. */
  readonly undo?: string;
}

export interface TrainingRequest {
  readonly k: number | "auto";
  readonly seed?: number;
  /** A backbone that was added, "none", or the default. */
  readonly backbone?: string;
  readonly effort?: "default" | "quick";
}

export interface TrainingState {
  readonly state: "running" | "stopping" | "stopped" | "failed" | "done";
  /** In words: "reading images", "auto-encoder", "clustering", "report", … */
  readonly stage: string;
  /** From 0 to 1, of everything. */
  readonly done: number;
  readonly secondsLeft?: number;
  readonly epoch?: number;
  readonly epochs?: number;
  /** One entry per epoch so far. */
  readonly losses: readonly { readonly stage: string; readonly loss: number; readonly changed?: number }[];
  /** Where clusters are known already: how many images each has, and some of them. */
  readonly clusters: readonly { readonly size: number; readonly images: readonly number[] }[];
  readonly error?: string;
}

export type StudioEvent =
  | { readonly kind: "state"; readonly revision: number }
  | { readonly kind: "training"; readonly training: TrainingState }
  | { readonly kind: "learning"; readonly learning: TrainingState };
