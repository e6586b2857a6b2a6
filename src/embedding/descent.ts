/**
 * Gradient descent with momentum and a gain of its own for each coordinate (Jacobs, 1988), as in van der Maaten's own
 * t-SNE: a gain grows while the movement goes on downhill and shrinks when it overshoots.
 */

const gainAdded = 0.2;
const gainKept = 0.8;
const smallestGain = 0.01;

export class Descent {
  readonly #steps: Float64Array;
  readonly #gains: Float64Array;

  constructor(length: number) {
    this.#steps = new Float64Array(length);
    this.#gains = new Float64Array(length).fill(1);
  }

  /** Moves `values` down along `gradient`. */
  move(values: Float64Array, gradient: Float64Array, { rate, momentum }: { rate: number; momentum: number }): void {
    const [steps, gains] = [this.#steps, this.#gains];
    for (let i = 0; i < values.length; i++) {
      const agrees = steps[i] * gradient[i] < 0;
      gains[i] = Math.max(agrees ? gains[i] + gainAdded : gains[i] * gainKept, smallestGain);
      steps[i] = momentum * steps[i] - rate * gains[i] * gradient[i];
      values[i] += steps[i];
    }
  }
}
