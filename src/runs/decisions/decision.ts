/**
 * What a person has decided about the clusters of a run. Decisions are lines of a log that only grows; undo and redo are
 * lines too. The model's own answer is never overwritten: clusters as they were decided are folded from both.
 *
 * An image is known by its key, the hash of its content, so that decisions hold for renamed and moved files. A cluster
 * is known by its number: 0 to k − 1 are the model's, those from k on were made by a person. So that decisions can be
 * carried over to another run of the same images, whose numbers mean nothing here, each names some typical images of
 * the clusters that it speaks of.
 */

/** The first 32 hexadecimal digits of the SHA-256 of an image's content. */
export type ImageKey = string;

/** A cluster that exists already. */
export interface ClusterReference {
  readonly cluster: number;
  /** Typical images of it, at the time of the decision; up to 16. */
  readonly examples: readonly ImageKey[];
}

/** A cluster that the decision makes; its number is the next one that is free. */
export interface NewCluster {
  readonly cluster: number;
  readonly name?: string;
}

export interface Rename {
  readonly kind: "rename";
  readonly of: ClusterReference;
  /** The empty name takes the name away. */
  readonly name: string;
}

/** All images of the others go to the first, which keeps its number; if it has no name, it takes the first that there is. */
export interface Merge {
  readonly kind: "merge";
  readonly into: ClusterReference;
  readonly from: readonly ClusterReference[];
}

/** Some images of a cluster become clusters of their own; what is left keeps number and name. */
export interface Split {
  readonly kind: "split";
  readonly of: ClusterReference;
  readonly parts: readonly (NewCluster & { readonly images: readonly ImageKey[] })[];
}

/** Images go to another cluster, which may be new. An image that was put aside is taken back. */
export interface Move {
  readonly kind: "move";
  readonly images: readonly ImageKey[];
  readonly to: ClusterReference | NewCluster;
  /** Whether it answers a question: then nothing follows for images that nobody asked about. Default: false. */
  readonly asked?: boolean;
}

/** Images that belong nowhere, or do so no longer. */
export interface PutAside {
  readonly kind: "aside" | "take-back";
  readonly images: readonly ImageKey[];
}

/** Images are where they should be: a person has looked. */
export interface Confirm {
  readonly kind: "confirm";
  readonly images: readonly ImageKey[];
  /** The cluster that they are in, where it is one: carried over to another run, they are put there. */
  readonly of?: ClusterReference;
  /** Whether it answers a question. Default: false. */
  readonly asked?: boolean;
}

/** Two images belong in one cluster, or do not, whichever it is. Nothing moves. */
export interface PairAnswer {
  readonly kind: "same" | "different";
  readonly images: readonly [ImageKey, ImageKey];
}

/**
 * Images go where a refined model puts them: a person has accepted that, and still it is the model that says so. It moves
 * no image of which a person has said where it belongs, and teaches nothing.
 */
export interface Learn {
  readonly kind: "learn";
  readonly moves: readonly { readonly images: readonly ImageKey[]; readonly to: ClusterReference }[];
  /** SHA-256 of the assignments of the refined run, in hexadecimal. */
  readonly run?: string;
}

export type Action = Rename | Merge | Split | Move | PutAside | Confirm | PairAnswer | Learn;

/** Takes back a decision, or takes back that. */
export interface UndoRedo {
  readonly kind: "undo" | "redo";
  /** The decision's number. */
  readonly decision: number;
}

/** A line of the log. */
export type Decision = (Action | UndoRedo) & {
  /** From 1, in the order in which they were made. */
  readonly number: number;
  /** When, in ISO 8601. */
  readonly at: string;
  /** Why it could not be applied to this run; it is kept and listed all the same. */
  readonly conflict?: string;
};
