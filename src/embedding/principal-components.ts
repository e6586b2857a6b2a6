/**
 * Principal components: the directions in which samples vary most.
 *
 * Subspace iteration: a few more directions than requested are multiplied by the covariance and orthonormalized, again
 * and again until the variances converge. The covariance matrix itself, columns by columns, is never formed: the engine
 * multiplies by the samples and by their transpose.
 */

import { expectFloats, type Program } from "../engine/program.ts";
import { Session, type SessionOptions } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import { encode } from "../graph/encode.ts";
import { matmul } from "../graph/operators/product.ts";
import { input } from "../graph/tensor.ts";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { centre } from "../numeric/moments.ts";
import { dot, orthonormalize } from "../numeric/orthonormalize.ts";
import { Random } from "../numeric/random.ts";
import { symmetricEigen } from "../numeric/symmetric-eigen.ts";

export interface PrincipalComponentsOptions extends SessionOptions {
  /** The number of components. */
  readonly components: number;
  /** The seed of the starting directions. Default: 0. */
  readonly seed?: number;
  /** The variances have converged when they change by no more than this share of the largest. Default: 1e-7. */
  readonly tolerance?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface PrincipalComponents {
  /** [components, columns]: directions of length 1, by decreasing variance; the largest entry of each is positive. */
  readonly components: Float32Array;
  /** The samples' variance in each direction. */
  readonly variances: Float64Array;
  /** The samples' mean: the origin of the coordinates. */
  readonly mean: Float64Array;
  /** [rows, components]: the samples' coordinates. */
  readonly projections: Float32Array;
}

/** Additional directions make the requested ones converge faster. */
const widthOf = (components: number, columns: number): number =>
  Math.min(columns, components + Math.max(8, Math.ceil(components / 4)));
/** Products with the covariance between two checks of the variances. */
const productsPerRound = 4;
const mostRounds = 50;
const usualTolerance = 1e-7;

export async function principalComponents(
  samples: Matrix,
  options: PrincipalComponentsOptions,
): Promise<PrincipalComponents> {
  const { components, seed = 0, tolerance = usualTolerance, signal, ...sessionOptions } = options;
  const { rows, columns } = matrix(samples.values, samples.columns, "principal components");
  if (!Number.isInteger(components) || components < 1 || components > columns)
    throw new InputError(`components must be a whole number from 1 to ${columns}, the columns, not ${components}`);
  const { centred, mean } = centre(samples);
  const width = widthOf(components, columns);
  const session = await Session.open(covarianceProgram(rows, columns, width), sessionOptions);
  try {
    const multiply = (basis: Float64Array) => multiplyCovariance(session, centred, basis);
    const random = new Random(seed, "principal components");
    const basis = await leadingBasis({ multiply, width, columns, components, tolerance, random, signal });
    const { projections } = await multiply(basis.directions);
    return {
      components: Float32Array.from(basis.directions.subarray(0, components * columns)),
      variances: basis.variances.slice(0, components),
      mean,
      projections: firstColumns(projections, width, components),
    };
  } finally {
    await session.close();
  }
}

/** Directions are rows [width, columns], in the input as in the output. */
function covarianceProgram(rows: number, columns: number, width: number): Program {
  const samples = input("samples", [rows, columns]);
  const projections = matmul(samples, input("directions", [width, columns]), { right: true });
  return encode({ projections, products: matmul(projections, samples, { left: true }) });
}

interface CovarianceProduct {
  /** [rows, width]. */
  readonly projections: Float32Array;
  /** [width, columns]: the covariance times each direction. */
  readonly products: Float64Array;
}

async function multiplyCovariance(
  session: Session,
  { rows, values }: Matrix,
  directions: Float64Array,
): Promise<CovarianceProduct> {
  const results = await session.run({ samples: values, directions: Float32Array.from(directions) });
  return {
    projections: expectFloats(results.projections),
    products: Float64Array.from(expectFloats(results.products), (value) => value / rows),
  };
}

interface Search {
  readonly multiply: (directions: Float64Array) => Promise<CovarianceProduct>;
  readonly width: number;
  readonly columns: number;
  readonly components: number;
  readonly tolerance: number;
  readonly random: Random;
  readonly signal: AbortSignal | undefined;
}

interface Basis {
  /** [width, columns]. */
  readonly directions: Float64Array;
  readonly variances: Float64Array;
}

async function leadingBasis({
  multiply,
  width,
  columns,
  components,
  tolerance,
  random,
  signal,
}: Search): Promise<Basis> {
  let directions: Float64Array = Float64Array.from({ length: width * columns }, () => random.uniform() - 0.5);
  let variances: Float64Array = new Float64Array(width);
  for (let round = 0; round < mostRounds; round++) {
    for (let i = 0; i < productsPerRound; i++) {
      signal?.throwIfAborted();
      orthonormalize(directions, columns, random);
      directions = (await multiply(directions)).products;
    }
    orthonormalize(directions, columns, random);
    const previous = variances;
    ({ directions, variances } = rotateToAxes(directions, (await multiply(directions)).products, columns));
    const change = variances.subarray(0, components).map((variance, i) => Math.abs(variance - previous[i]));
    if (Math.max(...change) <= tolerance * variances[0]) break;
  }
  return { directions, variances };
}

/** The directions within the span of the given ones along which the covariance is diagonal (Rayleigh & Ritz). */
function rotateToAxes(directions: Float64Array, products: Float64Array, columns: number): Basis {
  const width = directions.length / columns;
  const within = new Float64Array(width * width);
  for (let i = 0; i < width; i++)
    for (let j = 0; j <= i; j++) {
      const value = (dot(directions, i, products, j, columns) + dot(directions, j, products, i, columns)) / 2;
      within[i * width + j] = value;
      within[j * width + i] = value;
    }
  const { values, vectors } = symmetricEigen(within, width);
  const rotated = new Float64Array(directions.length);
  for (let i = 0; i < width; i++) {
    const row = rotated.subarray(i * columns, (i + 1) * columns);
    for (let j = 0; j < width; j++) {
      const weight = vectors[i * width + j];
      for (let d = 0; d < columns; d++) row[d] += weight * directions[j * columns + d];
    }
    if (row[largestEntry(row)] < 0) for (let d = 0; d < columns; d++) row[d] = -row[d];
  }
  return { directions: rotated, variances: values.map((value) => Math.max(value, 0)) };
}

function largestEntry(vector: Float64Array): number {
  let largest = 0;
  for (let d = 1; d < vector.length; d++) if (Math.abs(vector[d]) > Math.abs(vector[largest])) largest = d;
  return largest;
}

function firstColumns(values: Float32Array, columns: number, kept: number): Float32Array {
  return Float32Array.from(
    { length: (values.length / columns) * kept },
    (_, i) => values[Math.floor(i / kept) * columns + (i % kept)],
  );
}
