/**
 * What decisions mean for learning: images whose cluster is known, pairs that belong together, pairs that do not.
 *
 * Whoever moves or confirms an image, or splits a cluster, says of images where they belong. A merge says that typical
 * images of the clusters belong together, a split that those it leaves do not belong with those it takes away, and an
 * answer "same" or "different" says it of two images. What a refined model says is no statement, also where a person has
 * accepted it. Decisions count in order: what is said last holds, and what it contradicts is listed, not hidden.
 */
import { consistentStatements, type PairStatement } from "./consistent-statements.ts";
import type { Action, Decision, ImageKey, PairAnswer } from "./decision.ts";
import { type Decided, DecisionFold, type ModelClusters } from "./fold-decisions.ts";
import { closure, type Pair } from "./pair-closure.ts";
import { type ActionDecision, decisionsThatHold } from "./undo-stack.ts";

/** Made of decisions and of nothing else: no true class gets here. */
export interface Constraints {
  /** Of each image, the cluster that it is known to be in; −1 where nobody has said. */
  readonly known: Int32Array;
  /** Pairs of images in one cluster, whichever it is; those that follow from known images are left out. */
  readonly together: readonly Pair[];
  /** Pairs of images in two clusters; those that follow from known images are left out. */
  readonly apart: readonly Pair[];
}

/** What one decision said of an image, and a later one said otherwise; the later holds. */
export interface Contradiction {
  readonly image: number;
  /** Numbers of decisions. */
  readonly earlier: number;
  readonly later: number;
}

export interface DecidedConstraints extends Constraints {
  /** Of each image, 0 where somebody has said of their own accord which cluster it belongs to. */
  readonly asked: Uint8Array;
  /** Of each image, 1 where somebody has said which cluster it belongs to. */
  readonly placed: Uint8Array;
  /** The clusters that they speak of: what people have decided, without what was learned from it before. */
  readonly decided: Decided;
  /** Answers about two images that hold. */
  readonly answers: readonly PairAnswer[];
  readonly contradictions: readonly Contradiction[];
}

export function constraintsOf(decisions: readonly Decision[], model: ModelClusters): DecidedConstraints {
  const statements = new Statements(model);
  for (const decision of decisionsThatHold(decisions)) if (decision.conflict === undefined) statements.add(decision);
  return statements.result();
}

/** Such as: 12.png: decision 7 contradicts decision 3, and holds. */
export const describeContradiction = (
  { image, earlier, later }: Contradiction,
  itemOf: (image: number) => string,
): string => `${itemOf(image)}: decision ${later} contradicts decision ${earlier}, and holds`;

class Statements {
  /** What people have said, and nothing else. */
  readonly #fold: DecisionFold;
  /** What people saw when they said it. */
  readonly #shown: DecisionFold;
  /** Of each image, the decision that said last which cluster it belongs to; 0 where none did. */
  readonly #sayer: Uint32Array;
  readonly #asked: Uint8Array;
  readonly #contradictions: Contradiction[] = [];
  /** Of typical images of clusters that were merged and split. */
  #links: readonly PairStatement[] = [];
  /** Of images that people were asked about. */
  #answers: readonly (PairStatement & { readonly said: PairAnswer })[] = [];

  constructor(model: ModelClusters) {
    this.#fold = new DecisionFold(model);
    this.#shown = new DecisionFold(model);
    this.#sayer = new Uint32Array(model.keys.length);
    this.#asked = new Uint8Array(model.keys.length);
  }

  add(decision: ActionDecision): void {
    this.#shown.apply(decision);
    if (decision.kind === "learn") return;
    if (decision.kind === "same" || decision.kind === "different") this.#answer(decision);
    const { number } = decision;
    const placed = this.#imagesOf(placedBy(decision));
    const before = placed.map((image) => this.#fold.clusterOf(image));
    const answers = decision.kind === "merge" ? this.#answers.filter(({ pair }) => !this.#areInOne(pair)) : [];
    for (const action of this.#whereSeen(decision)) this.#fold.apply(action);
    placed.forEach((image, index) => {
      const earlier = this.#sayer[image];
      const moved = before[index] >= 0 && before[index] !== this.#fold.clusterOf(image);
      if (earlier > 0 && moved) this.#contradictions.push({ image, earlier, later: number });
      this.#sayer[image] = number;
      this.#asked[image] = Number(isAnswer(decision));
    });
    this.#links = [
      ...this.#links.filter((statement) => this.#stillHolds(statement, number)),
      ...this.#linkedBy(decision),
    ];
    // Who merges says of all images of the clusters that they belong together.
    const broken = new Set(answers.filter((answer) => !answer.together && !this.#stillHolds(answer, number)));
    if (broken.size > 0) this.#answers = this.#answers.filter((answer) => !broken.has(answer));
  }

  result(): DecidedConstraints {
    const decided = this.#fold.result();
    const isHere = (image: number): boolean => decided.cluster[image] >= 0;
    const placements = Array.from(decided.cluster.keys()).flatMap((image) =>
      this.#sayer[image] > 0 && isHere(image)
        ? [{ image, cluster: decided.cluster[image], number: this.#sayer[image] }]
        : [],
    );
    const stated = [...this.#links, ...this.#answers].filter(({ pair }) => pair.every(isHere));
    const { contradictions, ...holding } = consistentStatements(placements, stated, decided.cluster.length);
    const known = new Int32Array(decided.cluster.length).fill(-1);
    for (const { image, cluster } of holding.placements) known[image] = cluster;
    const pairs = (wanted: boolean): Pair[] =>
      holding.pairs.flatMap(({ pair, together }) => (together === wanted ? [pair] : []));
    const held = new Set(holding.pairs);
    return {
      decided,
      // What follows from what was said of other images is no correction.
      asked: this.#asked.map((one, image) => (this.#sayer[image] === 0 ? 1 : one)),
      placed: Uint8Array.from(this.#sayer, (number) => Number(number > 0)),
      ...closure({ known, together: pairs(true), apart: pairs(false) }),
      answers: this.#answers.flatMap((answer) => (held.has(answer) ? [answer.said] : [])),
      contradictions: [...this.#contradictions, ...contradictions],
    };
  }

  #answer(decision: ActionDecision & PairAnswer): void {
    const [[first], [second]] = decision.images.map((key) => this.#fold.imagesOf(key));
    const { number, kind, images } = decision;
    if (first === undefined || second === undefined) return;
    const said = { kind, images };
    this.#answers = [...this.#answers, { pair: [first, second], together: kind === "same", number, said }];
  }

  /** Whoever confirms says of each image that it belongs where they see it, which may be where the model has put it since. */
  #whereSeen(decision: ActionDecision): readonly Action[] {
    if (decision.kind !== "confirm" || decision.of !== undefined) return [decision];
    return decision.images.map((key): Action => {
      const [image] = this.#shown.imagesOf(key);
      const cluster = image === undefined ? -1 : this.#shown.clusterOf(image);
      return { kind: "confirm", images: [key], ...(cluster < 0 ? {} : { of: { cluster, examples: [] } }) };
    });
  }

  #areInOne([a, b]: Pair): boolean {
    return this.#fold.clusterOf(a) === this.#fold.clusterOf(b);
  }

  /** Whether clusters go with it after a decision. Of an image that is put aside nothing is said. */
  #stillHolds({ pair, together, number }: PairStatement, later: number): boolean {
    const [a, b] = pair;
    if (this.#fold.clusterOf(a) < 0 || this.#fold.clusterOf(b) < 0 || this.#areInOne(pair) === together) return true;
    this.#contradictions.push({ image: this.#sayer[a] === later ? a : b, earlier: number, later });
    return false;
  }

  #linkedBy(decision: ActionDecision): PairStatement[] {
    const { kind, number } = decision;
    if (kind === "merge")
      return decision.from.flatMap(({ examples }) =>
        this.#oneByOne(decision.into.examples, examples).map((pair) => ({ pair, together: true, number })),
      );
    if (kind !== "split") return [];
    const taken = new Set(placedBy(decision));
    const left = decision.of.examples.filter((key) => !taken.has(key));
    return decision.parts.flatMap(({ images }) =>
      this.#oneByOne(left, images).map((pair) => ({ pair, together: false, number })),
    );
  }

  /** Each of the others with one of the first, in turn. */
  #oneByOne(first: readonly ImageKey[], others: readonly ImageKey[]): Pair[] {
    const partners = this.#imagesOf(first);
    if (partners.length === 0) return [];
    return this.#imagesOf(others).flatMap((image, index): Pair[] => {
      const partner = partners[index % partners.length];
      return partner === image ? [] : [[partner, image]];
    });
  }

  #imagesOf(keys: readonly ImageKey[]): number[] {
    return keys.flatMap((key) => this.#fold.imagesOf(key));
  }
}

const isAnswer = (decision: ActionDecision): boolean =>
  (decision.kind === "move" || decision.kind === "confirm") && decision.asked === true;

/** The images of which a decision says which cluster they belong to. */
function placedBy(decision: ActionDecision): readonly ImageKey[] {
  if (decision.kind === "split") return decision.parts.flatMap(({ images }) => images);
  return decision.kind === "move" || decision.kind === "confirm" ? decision.images : [];
}
