/**
 * What decisions mean for learning: images whose cluster is known, pairs that belong together, pairs that do not.
 *
 * Whoever moves or confirms an image, or splits a cluster, says of images where they belong. A merge says that typical
 * images of the clusters belong together, a split that those it leaves do not belong with those it takes away. Decisions
 * count in order: what is said last holds, and what it contradicts is listed, not hidden.
 */
import type { Decision, ImageKey } from "./decision.ts";
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
  /** The clusters that they speak of. */
  readonly decided: Decided;
  readonly contradictions: readonly Contradiction[];
}

export function constraintsOf(decisions: readonly Decision[], model: ModelClusters): DecidedConstraints {
  const statements = new Statements(model);
  for (const decision of decisionsThatHold(decisions)) if (decision.conflict === undefined) statements.add(decision);
  return statements.result();
}

interface PairStatement {
  readonly pair: Pair;
  readonly together: boolean;
  /** Of the decision that says so. */
  readonly number: number;
}

class Statements {
  readonly #fold: DecisionFold;
  /** Of each image, the decision that said last which cluster it belongs to; 0 where none did. */
  readonly #sayer: Uint32Array;
  readonly #contradictions: Contradiction[] = [];
  #pairs: readonly PairStatement[] = [];

  constructor(model: ModelClusters) {
    this.#fold = new DecisionFold(model);
    this.#sayer = new Uint32Array(model.keys.length);
  }

  add(decision: ActionDecision): void {
    const { number } = decision;
    const placed = this.#imagesOf(placedBy(decision));
    const before = placed.map((image) => this.#fold.clusterOf(image));
    this.#fold.apply(decision);
    placed.forEach((image, index) => {
      const earlier = this.#sayer[image];
      const moved = before[index] >= 0 && before[index] !== this.#fold.clusterOf(image);
      if (earlier > 0 && moved) this.#contradictions.push({ image, earlier, later: number });
      this.#sayer[image] = number;
    });
    this.#pairs = [
      ...this.#pairs.filter((statement) => this.#stillHolds(statement, number)),
      ...this.#linkedBy(decision),
    ];
  }

  result(): DecidedConstraints {
    const decided = this.#fold.result();
    const known = decided.cluster.map((cluster, image) => (this.#sayer[image] > 0 ? cluster : -1));
    const present = this.#pairs.filter(({ pair }) => pair.every((image) => decided.cluster[image] >= 0));
    const pairs = (wanted: boolean): Pair[] =>
      present.flatMap(({ pair, together }) => (together === wanted ? [pair] : []));
    return {
      decided,
      ...closure({ known, together: pairs(true), apart: pairs(false) }),
      contradictions: this.#contradictions,
    };
  }

  /** Whether clusters go with it after a decision. Of an image that is put aside nothing is said. */
  #stillHolds({ pair: [a, b], together, number }: PairStatement, later: number): boolean {
    const [first, second] = [this.#fold.clusterOf(a), this.#fold.clusterOf(b)];
    if (first < 0 || second < 0 || (first === second) === together) return true;
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

/** The images of which a decision says which cluster they belong to. */
function placedBy(decision: ActionDecision): readonly ImageKey[] {
  if (decision.kind === "split") return decision.parts.flatMap(({ images }) => images);
  return decision.kind === "move" || decision.kind === "confirm" ? decision.images : [];
}
