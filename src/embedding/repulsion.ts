/**
 * The repulsion between the points of a t-SNE map: −½ of the slope of φ(y) = Σ_j 1 / (1 + ‖y − y_j‖²) at each point.
 *
 * φ is computed on a grid, so that the time does not grow with the number of pairs (Linderman et al., 2019). A grid
 * captures only what is smooth on its scale; the rest is added for near pairs, one by one (Hockney & Eastwood, 1988).
 * Even a coarse grid then gives forces with errors of a thousandth, where trees of angle 0.5 have errors of a
 * hundredth. Maps improve as well: forces that keep their signs let the gains of the descent grow.
 */
import type { SessionOptions } from "../engine/session.ts";
import { boxOf } from "./buckets.ts";
import { GridConvolution } from "./grid-convolution.ts";
import { NearField } from "./near-field.ts";
import { type SplitKernel, splitKernel } from "./split-kernel.ts";
import { readSlopes, spread } from "./spreading.ts";

/** Up to this many points the sum runs over all pairs: it takes no longer, and is exact. */
const fewPoints = 500;
/** The grid is wider than the map by this factor, so that a growing map does not need another at once. */
const slack = 1.1;
/** Nodes along an axis. */
const smallestSize = 48;
/** Nodes that the map must not reach: those of the splines at its edge, and those that the grid's own edge affects. */
const margin = 18;
/** Near pairs per cubed number of nodes along an axis at which the grid's size is the fastest. */
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

  /** Fills in the forces on the points of a map [rows, 2]; returns the kernel's sum over all ordered pairs. */
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
    // The potential includes each point's own kernel at distance zero.
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

  /** Pairs fall with the square of the size, and the grid's time grows with its cube: there is a best size. */
  #adapt(pairs: number): void {
    const ratio = pairs / (balance * this.#size ** 3);
    if (ratio > 0.25 && ratio < 2) return;
    const size = this.#size * Math.max(0.8, ratio ** (1 / 5));
    this.#size = Math.max(smallestSize, 8 * Math.round(size / 8));
  }

  /** The current mesh if it has the right size, holds the map and is not far too wide for it; else a new one. */
  async #meshFor(width: number): Promise<Mesh> {
    const current = this.#mesh;
    const fits = current !== undefined && width <= current.reach && current.reach <= slack ** 2 * width;
    if (fits && current.convolution.size === this.#size) return current;
    const convolution = await this.#convolution();
    // The points of a map may all coincide.
    const reach = slack * width || 1;
    const spacing = reach / (convolution.size - margin);
    const kernel = splitKernel(spacing, reach);
    await convolution.setKernel((squaredNodes) => kernel.smooth(squaredNodes * spacing ** 2));
    const nearField = kernel.short && new NearField(kernel.short);
    return { convolution, weights: new Float32Array(convolution.size ** 2), spacing, reach, kernel, nearField };
  }

  async #convolution(): Promise<GridConvolution> {
    const current = this.#mesh?.convolution;
    if (current?.size === this.#size) return current;
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
