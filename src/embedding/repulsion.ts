/**
 * How the points of a t-SNE map repel each other: each by −½ of the slope of φ(y) = Σ_j 1 / (1 + ‖y − y_j‖²).
 *
 * φ is found by way of a grid, so that the time does not grow with the number of pairs (Linderman et al., 2019). A grid
 * shows only what is smooth on its scale; what is not is added for near pairs, one by one (Hockney & Eastwood, 1988). So
 * a coarse grid gives forces that are wrong by a thousandth, where trees of angle 0.5 are wrong by a hundredth. It makes
 * better maps: forces that keep their signs let the gains of the descent grow.
 */
import type { SessionOptions } from "../engine/session.ts";
import { boxOf } from "./buckets.ts";
import { GridConvolution } from "./grid-convolution.ts";
import { NearField } from "./near-field.ts";
import { type SplitKernel, splitKernel } from "./split-kernel.ts";
import { readSlopes, spread } from "./spreading.ts";

/** Up to so many points all pairs are added one by one: it takes no longer, and is exact. */
const fewPoints = 500;
/** The grid is so much wider than the map, for a map that grows not to need another at once. */
const slack = 1.1;
/** Nodes along an axis. */
const smallestSize = 48;
/** Nodes that the map must not reach: those of the splines at its edge, and those to which the grid's own edge shows. */
const margin = 18;
/** With so many near pairs, times the third power of the nodes along an axis, no other grid would take less time. */
const balance = 0.005;

/** A grid with its kernel. */
interface Mesh {
  readonly convolution: GridConvolution;
  readonly weights: Float32Array;
  readonly spacing: number;
  /** The width of the largest map that it holds. */
  readonly reach: number;
  readonly kernel: SplitKernel;
  readonly nearField: NearField | undefined;
}

export class Repulsion {
  readonly #options: SessionOptions;
  #size = smallestSize;
  #mesh: Mesh | undefined;

  constructor(options: SessionOptions = {}) {
    this.#options = options;
  }

  /** Fills in the forces on the points of a map [rows, 2]; returns the kernel's sum over all pairs, both ways. */
  async forces(map: Float64Array, forces: Float64Array): Promise<number> {
    const rows = map.length / 2;
    if (rows <= fewPoints) return allPairs(map, forces);
    const box = boxOf(map);
    this.#mesh = await this.#meshFor(box.width);
    const { convolution, weights, spacing, kernel, nearField } = this.#mesh;
    const grid = { size: convolution.size, spacing, origin: box.corner };
    spread(map, grid, weights);
    const potential = readSlopes(map, grid, await convolution.convolve(weights), forces);
    for (let i = 0; i < forces.length; i++) forces[i] *= -0.5;
    // The potential has each point at distance zero from itself, too.
    const far = potential + kernel.offset * rows * rows - kernel.own * rows;
    if (nearField === undefined) return far;
    const near = nearField.addForces(map, box, forces);
    this.#adapt(near.pairs);
    return far + near.total;
  }

  async close(): Promise<void> {
    await this.#mesh?.convolution.close();
    this.#mesh = undefined;
  }

  /** Pairs fall with the second power of the size, and the grid's time grows with the third: there is a best size. */
  #adapt(pairs: number): void {
    const ratio = pairs / (balance * this.#size ** 3);
    if (ratio > 0.25 && ratio < 2) return;
    const size = this.#size * Math.max(0.8, ratio ** (1 / 5));
    this.#size = Math.max(smallestSize, 8 * Math.round(size / 8));
  }

  /** The present mesh if it is of the right size, holds such a map and is not far too wide for it, else another. */
  async #meshFor(width: number): Promise<Mesh> {
    const present = this.#mesh;
    const fits = present !== undefined && width <= present.reach && present.reach <= slack ** 2 * width;
    if (fits && present.convolution.size === this.#size) return present;
    const convolution = await this.#convolution();
    // The points of a map may all be at one place.
    const reach = slack * width || 1;
    const spacing = reach / (convolution.size - margin);
    const kernel = splitKernel(spacing, reach);
    await convolution.setKernel((squaredNodes) => kernel.smooth(squaredNodes * spacing ** 2));
    const nearField = kernel.short && new NearField(kernel.short);
    return { convolution, weights: new Float32Array(convolution.size ** 2), spacing, reach, kernel, nearField };
  }

  async #convolution(): Promise<GridConvolution> {
    const present = this.#mesh?.convolution;
    if (present?.size === this.#size) return present;
    await this.close();
    return await GridConvolution.open(this.#size, this.#options);
  }
}

function allPairs(map: Float64Array, forces: Float64Array): number {
  let total = 0;
  forces.fill(0);
  for (let i = 0; i < map.length; i += 2)
    for (let j = 0; j < i; j += 2) {
      const dx = map[i] - map[j];
      const dy = map[i + 1] - map[j + 1];
      const kernel = 1 / (1 + dx * dx + dy * dy);
      const pushX = kernel * kernel * dx;
      const pushY = kernel * kernel * dy;
      total += 2 * kernel;
      forces[i] += pushX;
      forces[i + 1] += pushY;
      forces[j] -= pushX;
      forces[j + 1] -= pushY;
    }
  return total;
}
