/**
 * Clusters as they were decided: the model's own, and on top of them what people said, decision by decision.
 *
 * Images are in groups, and groups are in clusters: a merge says of a few groups where they are, however many images they
 * have. Copies have one key, and go together.
 */
import { InputError } from "../../files/errors.ts";
import type { Action, Decision, ImageKey, NewCluster } from "./decision.ts";
import { decisionsThatHold } from "./undo-stack.ts";

/** What the model says, before anybody has decided anything. */
export interface ModelClusters {
  readonly k: number;
  /** Of each image. */
  readonly keys: readonly ImageKey[];
  /** The model's cluster of each image. */
  readonly assignments: ArrayLike<number>;
}

/** Who says where an image is. */
export const sayers = { model: 0, person: 1, learned: 2 } as const;

export interface DecidedCluster {
  readonly cluster: number;
  /** The person's; undefined where nobody has named it. */
  readonly name?: string;
  /** Whether a person has made it, by splitting or moving. */
  readonly made: boolean;
  readonly size: number;
  /** Images of it that a person has put here, one by one or by a split; a merge leaves images to the model. */
  readonly moved: number;
  readonly confirmed: number;
}

export interface Decided {
  /** Those that have images, or a name, by their numbers. */
  readonly clusters: readonly DecidedCluster[];
  /** Of each image; −1 where it is put aside. */
  readonly cluster: Int32Array;
  /** 1 where a person has said where the image belongs, 0 where the model does, 2 where it does so having learned. */
  readonly by: Uint8Array;
  /** 1 where a person has said that the image is where it should be. */
  readonly confirmed: Uint8Array;
  /** Of each of the model's clusters, where its images go now: what is new is put there too. */
  readonly goesTo: Int32Array;
  /** Images that are put aside. */
  readonly aside: number;
  /** The number of the next cluster that is made. */
  readonly nextCluster: number;
}

export function foldDecisions(decisions: readonly Decision[], model: ModelClusters): Decided {
  const fold = new DecisionFold(model);
  for (const decision of decisionsThatHold(decisions)) if (decision.conflict === undefined) fold.apply(decision);
  return fold.result();
}

/** The same, one decision after another. Nothing can be taken back: fold again. */
export class DecisionFold {
  readonly #k: number;
  readonly #images: ReadonlyMap<ImageKey, readonly number[]>;
  /** The group of each image. */
  readonly #group: Int32Array;
  /** The cluster of each group. */
  readonly #clusterOf: number[];
  /** The group that images go to which are moved into a cluster. */
  readonly #home = new Map<number, number>();
  readonly #names = new Map<number, string>();
  readonly #by: Uint8Array;
  readonly #confirmed: Uint8Array;
  readonly #aside: Uint8Array;
  readonly #goesTo: Int32Array;
  #next: number;

  constructor({ k, keys, assignments }: ModelClusters) {
    this.#k = k;
    this.#next = k;
    this.#images = imagesByKey(keys);
    this.#group = Int32Array.from(assignments);
    this.#clusterOf = Array.from({ length: k }, (_, cluster) => cluster);
    for (const cluster of this.#clusterOf) this.#home.set(cluster, cluster);
    this.#by = new Uint8Array(keys.length);
    this.#confirmed = new Uint8Array(keys.length);
    this.#aside = new Uint8Array(keys.length);
    this.#goesTo = Int32Array.from(this.#clusterOf);
  }

  /** The number of the next cluster that is made. */
  get nextCluster(): number {
    return this.#next;
  }

  /** Images that have this key: one, or several copies, or none. */
  imagesOf(key: ImageKey): readonly number[] {
    return this.#images.get(key) ?? [];
  }

  /** −1 where the image is put aside. */
  clusterOf(image: number): number {
    return this.#aside[image] === 1 ? -1 : this.#clusterOf[this.#group[image]];
  }

  nameOf(cluster: number): string | undefined {
    return this.#names.get(cluster);
  }

  apply(action: Action): void {
    switch (action.kind) {
      case "rename":
        this.#rename(this.#known(action.of.cluster), action.name);
        break;
      case "merge":
        for (const { cluster } of action.from) this.#merge(this.#known(action.into.cluster), this.#known(cluster));
        break;
      case "split":
        this.#known(action.of.cluster);
        for (const part of action.parts) this.#move(part.images, this.#make(part));
        break;
      case "move":
        this.#move(action.images, "examples" in action.to ? this.#known(action.to.cluster) : this.#make(action.to));
        break;
      case "aside":
      case "take-back":
        this.#putAside(action.images, action.kind === "aside");
        break;
      case "confirm":
        if (action.of !== undefined) this.#moveStrays(action.images, this.#known(action.of.cluster));
        this.#forImages(action.images, (image) => {
          this.#confirmed[image] = 1;
        });
        break;
      case "learn":
        for (const { images, to } of action.moves) this.#learn(images, this.#known(to.cluster));
        break;
      case "same":
      case "different":
        break;
    }
  }

  result(): Decided {
    const cluster = Int32Array.from(this.#group, (_, image) => this.clusterOf(image));
    const facts = new Map<number, { size: number; moved: number; confirmed: number }>();
    for (const named of this.#names.keys()) facts.set(named, { size: 0, moved: 0, confirmed: 0 });
    let aside = 0;
    cluster.forEach((own, image) => {
      if (own < 0) aside++;
      else {
        const fact = facts.get(own) ?? { size: 0, moved: 0, confirmed: 0 };
        facts.set(own, fact);
        fact.size++;
        fact.moved += Number(this.#by[image] === sayers.person);
        fact.confirmed += this.#confirmed[image];
      }
    });
    return {
      clusters: [...facts]
        .sort(([a], [b]) => a - b)
        .map(([number, fact]) => ({ cluster: number, ...this.#nameNote(number), made: number >= this.#k, ...fact })),
      cluster,
      by: this.#by.slice(),
      confirmed: this.#confirmed.slice(),
      goesTo: this.#goesTo.slice(),
      aside,
      nextCluster: this.#next,
    };
  }

  #nameNote(cluster: number): { readonly name?: string } {
    const name = this.#names.get(cluster);
    return name === undefined ? {} : { name };
  }

  #known(cluster: number): number {
    if (cluster < this.#next) return cluster;
    throw new InputError(`a decision is about cluster ${cluster}, which there is not; it was made for another run`);
  }

  #make({ cluster, name }: NewCluster): number {
    if (cluster !== this.#next)
      throw new InputError(
        `a decision makes cluster ${cluster}, and ${this.#next} is next; it was made for another run`,
      );
    this.#next++;
    if (name !== undefined) this.#rename(cluster, name);
    return cluster;
  }

  #rename(cluster: number, name: string): void {
    if (name === "") this.#names.delete(cluster);
    else this.#names.set(cluster, name);
  }

  #merge(into: number, from: number): void {
    if (into === from) return;
    // The home is found first, so that a cluster without any keeps its own apart from those that come.
    this.#homeOf(into);
    this.#clusterOf.forEach((cluster, group) => {
      if (cluster === from) this.#clusterOf[group] = into;
    });
    this.#home.delete(from);
    this.#goesTo.forEach((cluster, own) => {
      if (cluster === from) this.#goesTo[own] = into;
    });
    const name = this.#names.get(from);
    this.#names.delete(from);
    if (name !== undefined && !this.#names.has(into)) this.#names.set(into, name);
  }

  #homeOf(cluster: number): number {
    const known = this.#home.get(cluster);
    if (known !== undefined) return known;
    const home = this.#clusterOf.push(cluster) - 1;
    this.#home.set(cluster, home);
    return home;
  }

  #move(keys: readonly ImageKey[], to: number): void {
    const home = this.#homeOf(to);
    this.#forImages(keys, (image) => {
      this.#group[image] = home;
      this.#by[image] = sayers.person;
      this.#confirmed[image] = 0;
      this.#aside[image] = 0;
    });
  }

  /** What was confirmed in a cluster is there, wherever another run has put it. */
  #moveStrays(keys: readonly ImageKey[], to: number): void {
    this.#move(
      keys.filter((key) => this.imagesOf(key).some((image) => this.clusterOf(image) !== to)),
      to,
    );
  }

  /** What a person has said of an image holds. */
  #learn(keys: readonly ImageKey[], to: number): void {
    const home = this.#homeOf(to);
    this.#forImages(keys, (image) => {
      if (this.#by[image] === sayers.person || this.#confirmed[image] === 1) return;
      this.#group[image] = home;
      this.#by[image] = sayers.learned;
    });
  }

  #putAside(keys: readonly ImageKey[], aside: boolean): void {
    this.#forImages(keys, (image) => {
      this.#aside[image] = Number(aside);
      this.#by[image] = sayers.person;
      this.#confirmed[image] = 0;
    });
  }

  #forImages(keys: readonly ImageKey[], change: (image: number) => void): void {
    for (const key of keys) for (const image of this.imagesOf(key)) change(image);
  }
}

/** Whoever undoes folds again, on the same images. */
const known = new WeakMap<readonly ImageKey[], ReadonlyMap<ImageKey, readonly number[]>>();

function imagesByKey(keys: readonly ImageKey[]): ReadonlyMap<ImageKey, readonly number[]> {
  const before = known.get(keys);
  if (before !== undefined) return before;
  const images = new Map<ImageKey, number[]>();
  known.set(keys, images);
  keys.forEach((key, image) => {
    const copies = images.get(key);
    if (copies === undefined) images.set(key, [image]);
    else copies.push(image);
  });
  return images;
}
