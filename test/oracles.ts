/** Reads the reference values in `test/oracles`. */
import { readFileSync } from "node:fs";

export interface OracleArray {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

export interface FcaeStepOracle {
  readonly channels: number;
  readonly size: number;
  readonly padding: number;
  readonly convs: readonly (readonly [number, number])[];
  readonly feature: readonly [number, number];
  readonly x: OracleArray;
  readonly parameters: Readonly<Record<string, OracleArray>>;
  readonly activations: Readonly<Record<string, OracleArray>>;
  readonly reconstruction: OracleArray;
  readonly loss: number;
  readonly gradients: Readonly<Record<string, OracleArray>>;
}

export interface DbcOracle {
  readonly cases: readonly {
    readonly v: number;
    readonly alpha: number;
    readonly z: OracleArray;
    readonly mu: OracleArray;
    readonly scores: OracleArray;
    readonly balances: Readonly<
      Record<
        "none" | "scores" | "boosted",
        { readonly targets: OracleArray; readonly klSum: number; readonly dz: OracleArray; readonly dmu: OracleArray }
      >
    >;
  }[];
}

export interface KMeansOracle {
  readonly x: OracleArray;
  readonly init: OracleArray;
  readonly centers: OracleArray;
  readonly labels: readonly number[];
  readonly inertia: number;
  readonly silhouette: number;
  readonly daviesBouldin: number;
  readonly calinskiHarabasz: number;
}

export interface MetricsOracle {
  readonly cases: readonly {
    readonly truth: readonly number[];
    readonly predicted: readonly number[];
    readonly acc: number;
    /** The paper's. */
    readonly nmiMax: number;
    readonly nmiArithmetic: number;
    readonly ari: number;
    readonly homogeneity: number;
    readonly completeness: number;
    readonly purity: number;
  }[];
}

export interface TsneOracle {
  readonly perplexity: number;
  readonly x: OracleArray;
  /** Joint probabilities. */
  readonly p: OracleArray;
  /** A map, with its divergence and the gradient of that. */
  readonly y: OracleArray;
  readonly kl: number;
  readonly gradient: OracleArray;
}

export interface LabelPropagationOracle {
  readonly x: OracleArray;
  /** −1 where nothing is known. */
  readonly known: readonly number[];
  readonly shares: OracleArray;
}

interface Oracles {
  "fcae-step-padded": FcaeStepOracle;
  "fcae-step-colour": FcaeStepOracle;
  dbc: DbcOracle;
  kmeans: KMeansOracle;
  metrics: MetricsOracle;
  tsne: TsneOracle;
  "label-propagation": LabelPropagationOracle;
}

export function readOracle<Name extends keyof Oracles>(name: Name): Oracles[Name] {
  return JSON.parse(readFileSync(new URL(`oracles/${name}.json`, import.meta.url), "utf8"));
}
