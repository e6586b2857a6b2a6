/** The map that t-SNE begins with: small, so that points can still pass each other. */
import type { SessionOptions } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import type { Matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { principalComponents } from "./principal-components.ts";

/** Principal components, random numbers, or a given map [rows, 2]. */
export type TsneInitialization = "pca" | "random" | Float32Array;

interface InitialMapOptions extends SessionOptions {
  readonly initialization: TsneInitialization;
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
}

/** The standard deviation of the first coordinate. */
const deviation = 1e-4;
/** A variance below this share of the first component's is rounding. */
const negligible = 1e-10;

export async function initialMap(samples: Matrix, options: InitialMapOptions): Promise<Float64Array> {
  const { initialization, seed, signal, ...sessionOptions } = options;
  const { rows, columns } = samples;
  if (initialization instanceof Float32Array) return givenMap(initialization, rows);
  if (initialization !== "pca" && initialization !== "random")
    throw new InputError(`t-SNE: initialization must be "pca", "random" or a map, not ${initialization}`);
  const map = randomMap(rows, new Random(seed, "t-SNE"));
  if (initialization === "random") return map;
  const components = Math.min(2, columns);
  const { projections, variances } = await principalComponents(samples, {
    components,
    seed,
    signal,
    ...sessionOptions,
  });
  // Where samples vary in fewer than two directions, the other coordinates stay random.
  variances.forEach((variance, component) => {
    if (variance <= negligible * variances[0]) return;
    const scale = deviation / Math.sqrt(variances[0]);
    for (let row = 0; row < rows; row++) map[2 * row + component] = scale * projections[row * components + component];
  });
  return map;
}

function randomMap(rows: number, random: Random): Float64Array {
  const width = deviation * Math.sqrt(12);
  return Float64Array.from({ length: 2 * rows }, () => width * (random.uniform() - 0.5));
}

function givenMap(map: Float32Array, rows: number): Float64Array {
  if (map.length !== 2 * rows)
    throw new InputError(`t-SNE: the given map has ${map.length} values; ${rows} rows of 2 are ${2 * rows}`);
  const bad = map.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new InputError(`t-SNE: row ${Math.floor(bad / 2)} of the given map holds ${map[bad]}`);
  return Float64Array.from(map);
}
