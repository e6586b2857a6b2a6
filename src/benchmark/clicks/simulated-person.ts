/**
 * A person who answers questions by the true classes, and who judges clusters by them: the only one who knows them.
 * Everybody else has `Images` and a `Person`.
 */
import type { Labels } from "../../images/dataset.ts";
import type { Question } from "../../methods/dbc/ask.ts";
import { accuracy, nmi } from "../../metrics/external.ts";
import { Random } from "../../numeric/random.ts";
import { clusterReference, type ReferenceSource } from "../../runs/decisions/cluster-reference.ts";
import type { Action, ClusterReference } from "../../runs/decisions/decision.ts";
import type { Decided } from "../../runs/decisions/fold-decisions.ts";

export interface Judgement {
  readonly acc: number;
  readonly nmi: number;
}

export interface Person {
  /** What they decide; `decided` is what was decided before. */
  answer(question: Question, decided: Decided): Action;
  judge(clusters: Int32Array): Judgement;
}

/** What the person is shown: the images' keys, and their scores in the model's own clusters. */
export type Shown = Omit<ReferenceSource, "decided">;

export interface PersonOptions {
  readonly seed: number;
  /** Names the stream of random numbers. */
  readonly name: string;
  /** The share of answers that are wrong. Default: 0. */
  readonly wrong?: number;
}

export class SimulatedPerson implements Person {
  readonly #labels: Labels;
  readonly #shown: Shown;
  readonly #imageOf: ReadonlyMap<string, number>;
  readonly #wrong: number;
  readonly #random: Random;
  /** Of each class that has come up, the cluster that stands for it. */
  readonly #standsFor = new Map<number, number>();

  constructor(labels: Labels, shown: Shown, { seed, name, wrong = 0 }: PersonOptions) {
    this.#labels = labels;
    this.#shown = shown;
    this.#imageOf = new Map(shown.keys.map((key, image) => [key, image]));
    this.#wrong = wrong;
    this.#random = new Random(seed, `person ${name}`);
  }

  answer(question: Question, decided: Decided): Action {
    const errs = this.#random.uniform() < this.#wrong;
    return question.kind === "image"
      ? this.#place(question.image, errs, decided)
      : this.#compare(question.examples, errs, decided);
  }

  judge(clusters: Int32Array): Judgement {
    const { values } = this.#labels;
    return { acc: accuracy(values, clusters), nmi: nmi(values, clusters) };
  }

  #place(image: number, errs: boolean, decided: Decided): Action {
    const known = this.#labels.values[image];
    const own = errs ? this.#anotherClass(known) : known;
    const cluster = this.#clusterFor(own, decided);
    const images = [this.#shown.keys[image]];
    if (cluster === decided.nextCluster) return { kind: "move", images, to: { cluster }, asked: true };
    const reference = this.#referenceTo(cluster, decided);
    return decided.cluster[image] === cluster
      ? { kind: "confirm", images, of: reference, asked: true }
      : { kind: "move", images, to: reference, asked: true };
  }

  #anotherClass(own: number): number {
    const others = this.#labels.names.length - 1;
    return others < 1 ? own : (own + 1 + this.#random.integer(others)) % (others + 1);
  }

  /** The first time that a class comes up, the largest cluster that is this class, or else a new one; then always that. */
  #clusterFor(own: number, decided: Decided): number {
    const before = this.#standsFor.get(own);
    if (before !== undefined) return before;
    const taken = new Set(this.#standsFor.values());
    const [largest] = decided.clusters
      .filter(({ cluster, size }) => size > 0 && !taken.has(cluster) && this.#classOf(cluster, decided) === own)
      .sort((a, b) => b.size - a.size || a.cluster - b.cluster);
    const cluster = largest?.cluster ?? decided.nextCluster;
    this.#standsFor.set(own, cluster);
    return cluster;
  }

  /** A cluster is the class of most of its typical images. */
  #classOf(cluster: number, decided: Decided): number {
    const { examples } = this.#referenceTo(cluster, decided);
    return this.#majority(examples.flatMap((key) => this.#imageOf.get(key) ?? []));
  }

  #majority(images: readonly number[]): number {
    const counts = this.#labels.names.map(
      (_, own) => images.filter((image) => this.#labels.values[image] === own).length,
    );
    return counts.indexOf(Math.max(...counts));
  }

  #compare([first, second]: readonly [readonly number[], readonly number[]], errs: boolean, decided: Decided): Action {
    const same = (this.#majority(first) === this.#majority(second)) !== errs;
    // What an earlier answer has merged or moved is elsewhere by now.
    const [into, from] = [first, second].map((images) => decided.cluster[images[0]]);
    const key = (images: readonly number[], cluster: number): string =>
      this.#shown.keys[images.find((image) => decided.cluster[image] === cluster) ?? images[0]];
    if (!same || into === from)
      return { kind: same ? "same" : "different", images: [key(first, into), key(second, from)] };
    for (const [own, cluster] of this.#standsFor) if (cluster === from) this.#standsFor.set(own, into);
    return { kind: "merge", into: this.#referenceTo(into, decided), from: [this.#referenceTo(from, decided)] };
  }

  #referenceTo(cluster: number, decided: Decided): ClusterReference {
    return clusterReference(cluster, { ...this.#shown, decided });
  }
}
