/** The gradient of t-SNE's divergence with respect to the map: −4 times the sum of repulsion and attraction. */
import type { SessionOptions } from "../engine/session.ts";
import type { Affinities } from "./affinities.ts";
import { attraction, divergence } from "./attraction.ts";
import { Repulsion } from "./repulsion.ts";

export class TsneGradient {
  readonly #affinities: Affinities;
  readonly #repulsion: Repulsion;
  readonly #attracting: Float64Array;
  /** [rows, 2]: the last gradient found. */
  readonly values: Float64Array;

  constructor(affinities: Affinities, options: SessionOptions) {
    this.#affinities = affinities;
    this.#repulsion = new Repulsion(options);
    this.#attracting = new Float64Array(2 * affinities.rows);
    this.values = new Float64Array(2 * affinities.rows);
  }

  /** Finds the gradient at `map` [rows, 2], with attraction multiplied by `exaggeration`. */
  async find(map: Float64Array, exaggeration = 1): Promise<void> {
    const [gradient, attracting] = [this.values, this.#attracting];
    const total = await this.#repulsion.forces(map, gradient);
    attraction(this.#affinities, map, attracting);
    for (let i = 0; i < gradient.length; i++) gradient[i] = -4 * (gradient[i] / total + exaggeration * attracting[i]);
  }

  /** The divergence at `map`. */
  async divergence(map: Float64Array): Promise<number> {
    return divergence(this.#affinities, map, await this.#repulsion.forces(map, this.values));
  }

  async close(): Promise<void> {
    await this.#repulsion.close();
  }
}
