/**
 * Linear denoising layers in closed form (Chen et al. 2012, as IEC stacks them): the map W that on average over all
 * corruptions best restores x from x̃, whose entries are zero with probability 1 − q. With S = Σ x xᵀ, second moments:
 *   W = P Q⁻¹,  P = E[x x̃ᵀ] = q S,  Q = E[x̃ x̃ᵀ] = q² S off the diagonal, q S on it.
 * All of it is in d x d matrices, whatever the number of samples: a layer's output W x has the moments W S Wᵀ.
 */

import { expectDoubles } from "../../engine/program.ts";
import { Session, type SessionOptions } from "../../engine/session.ts";
import { InputError } from "../../files/errors.ts";
import { encode } from "../../graph/encode.ts";
import { multiply, subtract } from "../../graph/operators/elementwise.ts";
import { matmul } from "../../graph/operators/product.ts";
import { sumSquare } from "../../graph/operators/reduction.ts";
import { constant, input } from "../../graph/tensor.ts";
import { choleskyFactor } from "../../numeric/cholesky.ts";

export interface DenoisingOptions extends SessionOptions {
  /** The probability 1 − q that an entry is set to zero. */
  readonly corruption: number;
  readonly signal?: AbortSignal | undefined;
}

/** Wᵀ [d, d] for second moments S [d, d], both row by row. */
export async function denoisingMap(moments: Float64Array, d: number, options: DenoisingOptions): Promise<Float64Array> {
  const { corruption, signal, ...sessionOptions } = options;
  const q = 1 - corruption;
  // D^−½ Q D^−½ with D = diag(Q) is q (S scaled to a diagonal of ones) + (1 − q) I: no eigenvalue is below 1 − q.
  const scale = Float64Array.from({ length: d }, (_, i) => 1 / Math.sqrt(q * moments[i * d + i] || 1));
  const scaled = scaleBothSides(moments, scale, q * q);
  for (let i = 0; i < d; i++) scaled[i * d + i] = 1;
  const inverse = await inverseOf(scaled, d, { least: corruption, signal, ...sessionOptions });
  return product(scaleBothSides(inverse, scale, q), moments, d, sessionOptions);
}

/** factor · diag(s) A diag(s). */
function scaleBothSides(a: Float64Array, s: Float64Array, factor: number): Float64Array {
  const d = s.length;
  return a.map((value, index) => factor * s[Math.floor(index / d)] * value * s[index % d]);
}

interface InverseOptions extends SessionOptions {
  /** No eigenvalue is less. */
  readonly least: number;
  readonly signal: AbortSignal | undefined;
}

/** ‖I − A X‖² that counts as zero, for each row. */
const smallResidual = 1e-20;
const mostIterations = 60;

/** The inverse of a symmetric positive definite matrix: X ← X (2I − A X) (Schulz 1933), which squares the residual. */
async function inverseOf(a: Float64Array, d: number, { least, signal, ...options }: InverseOptions) {
  const session = await Session.open(schulzProgram(d), options);
  try {
    session.setState("x", identity(d, 2 / (least + largestRowSum(a, d))));
    const eye = identity(d, 1);
    for (let iteration = 0; iteration < mostIterations; iteration++) {
      signal?.throwIfAborted();
      const { residual } = await session.run({ a, eye });
      if (expectDoubles(residual)[0] <= smallResidual * d) return expectDoubles(session.state("x")).slice();
    }
    throw new InputError("the denoising layer has no solution: the corruption is too small for these images");
  } finally {
    await session.close();
  }
}

function schulzProgram(d: number) {
  const [a, x, eye] = ["a", "x", "eye"].map((name) => input(name, [d, d], "float64"));
  const two = constant(Float64Array.of(2), [], "float64");
  const ax = matmul(a, x);
  const next = subtract(multiply(two, x), matmul(x, ax));
  return encode({ residual: sumSquare(subtract(eye, ax)) }, { states: [{ input: x, next }] });
}

const identity = (d: number, value: number): Float64Array => {
  const matrix = new Float64Array(d * d);
  for (let i = 0; i < d; i++) matrix[i * d + i] = value;
  return matrix;
};

/** No eigenvalue is larger. */
function largestRowSum(a: Float64Array, d: number): number {
  let largest = 0;
  for (let row = 0; row < d; row++) {
    let sum = 0;
    for (let column = 0; column < d; column++) sum += Math.abs(a[row * d + column]);
    largest = Math.max(largest, sum);
  }
  return largest;
}

/** A B, or Aᵀ B. */
async function product(
  a: Float64Array,
  b: Float64Array,
  d: number,
  options: SessionOptions,
  left = false,
): Promise<Float64Array> {
  const [first, second] = ["a", "b"].map((name) => input(name, [d, d], "float64"));
  const session = await Session.open(encode({ product: matmul(first, second, { left }) }), options);
  try {
    return expectDoubles((await session.run({ a, b })).product).slice();
  } finally {
    await session.close();
  }
}

export interface StackOptions extends DenoisingOptions {
  readonly layers: number;
}

/**
 * A stack of layers, for inputs b with second moments S: an embedding L [d, d] such that bᵀL has the same distances as the
 * outputs of all layers one after another, which would be `layers` times as long. Layer l gives bᵀM_l, so L Lᵀ = Σ_l M_l M_lᵀ.
 */
export async function stackedEmbedding(moments: Float64Array, d: number, options: StackOptions): Promise<Float64Array> {
  const { layers, corruption, signal, ...sessionOptions } = options;
  let map = identity(d, 1);
  let current = moments;
  const gram = new Float64Array(d * d);
  for (let layer = 0; layer < layers; layer++) {
    const next = await denoisingMap(current, d, options);
    map = await product(map, next, d, sessionOptions);
    current = await product(next, await product(current, next, d, sessionOptions), d, sessionOptions, true);
    const squares = await product(transposed(map, d), transposed(map, d), d, sessionOptions, true);
    for (let i = 0; i < gram.length; i++) gram[i] += squares[i];
  }
  return choleskyFactor(gram, d);
}

function transposed(a: Float64Array, d: number): Float64Array {
  return a.map((_, index) => a[(index % d) * d + Math.floor(index / d)]);
}
