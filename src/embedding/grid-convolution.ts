/**
 * Sums of a kernel over points, Σ_j K(x − x_j), on the nodes of a square grid: splines spread the points over the
 * nodes, and splines interpolate the sums between them.
 *
 * From nodes to nodes this is a convolution: transform, multiply by the kernel's spectrum, transform back, on twice the
 * grid so that nothing wraps around. The transform is a plain product with a matrix T of cosines and sines: on grids of
 * some hundred nodes the engine's products are faster than a fast Fourier transform in JavaScript. An even kernel has a
 * real and even spectrum, which multiplies cosines and sines alike, so everything is real: Tᵀ (spectrum ∘ (T x Tᵀ)) T.
 */
import { expectFloats, type Program } from "../engine/program.ts";
import { Session, type SessionOptions } from "../engine/session.ts";
import { encode } from "../graph/encode.ts";
import { multiply } from "../graph/operators/elementwise.ts";
import { matmul } from "../graph/operators/product.ts";
import { constant, input, type Tensor } from "../graph/tensor.ts";
import { splineResponse } from "./spline.ts";

/** Up to this size one thread finishes before others would have started. */
const smallSize = 128;

export class GridConvolution {
  /** Nodes along an axis. */
  readonly size: number;
  readonly #spectrum: Session;
  readonly #convolution: Session;
  #kernelSpectrum = new Float32Array(0);

  private constructor(size: number, spectrum: Session, convolution: Session) {
    this.size = size;
    this.#spectrum = spectrum;
    this.#convolution = convolution;
  }

  static async open(size: number, options: SessionOptions): Promise<GridConvolution> {
    const sessionOptions = size > smallSize ? options : { ...options, threads: 1 };
    const spectrum = await Session.open(spectrumProgram(size), sessionOptions);
    return new GridConvolution(size, spectrum, await Session.open(convolutionProgram(size), sessionOptions));
  }

  /** `kernel` is a function of the squared distance, in nodes. */
  async setKernel(kernel: (squaredDistance: number) => number): Promise<void> {
    const length = this.size + 1;
    const samples = new Float32Array(length * length);
    for (let a = 0; a < length; a++) for (let b = 0; b < length; b++) samples[a * length + b] = kernel(a * a + b * b);
    const { spectrum } = await this.#spectrum.run({ samples });
    this.#kernelSpectrum = Float32Array.from(expectFloats(spectrum));
  }

  /** From weights [size, size] to sums [size, size], which the next call overwrites. */
  async convolve(weights: Float32Array): Promise<Float32Array> {
    const { sums } = await this.#convolution.run({ weights, spectrum: this.#kernelSpectrum });
    return expectFloats(sums);
  }

  async close(): Promise<void> {
    await this.#spectrum.close();
    await this.#convolution.close();
  }
}

function convolutionProgram(size: number): Program {
  const waves = waveMatrix(size);
  const transformed = matmul(matmul(waves, input("weights", [size, size])), waves, { right: true });
  const multiplied = multiply(transformed, input("spectrum", [2 * size, 2 * size]));
  return encode({ sums: matmul(matmul(waves, multiplied, { left: true }), waves) });
}

/** The spectrum of a kernel given at the distances from 0 to size, for each pair of waves. */
function spectrumProgram(size: number): Program {
  const cosines = cosineMatrix(size);
  const samples = input("samples", [size + 1, size + 1]);
  return encode({ spectrum: matmul(matmul(cosines, samples), cosines, { right: true }) });
}

/** The frequency of each wave on twice the grid: cosines from 0 to size, then sines. */
const frequencyOf = (wave: number, size: number): number => (wave <= size ? wave : wave - size);

/** [2 size, size]: one row per wave, of length 1 on twice the grid. */
function waveMatrix(size: number): Tensor {
  return waveTable(size, size, (wave, angle) => {
    const frequency = frequencyOf(wave, size);
    const scale = Math.sqrt((frequency === 0 || frequency === size ? 1 : 2) / (2 * size));
    return scale * (wave <= size ? angle.cosine : angle.sine);
  });
}

/**
 * [2 size, size + 1]: the cosine of each wave's frequency, weighted for both signs of a distance, and divided by the
 * splines' response on either side, so that at nodes the sums are those of the kernel itself.
 */
function cosineMatrix(size: number): Tensor {
  return waveTable(size, size + 1, (wave, angle, distance) => {
    const response = splineResponse((Math.PI * frequencyOf(wave, size)) / size);
    return ((distance === 0 || distance === size ? 1 : 2) * angle.cosine) / response ** 2;
  });
}

interface Angle {
  readonly cosine: number;
  readonly sine: number;
}

function waveTable(
  size: number,
  columns: number,
  value: (wave: number, angle: Angle, column: number) => number,
): Tensor {
  const angles = Array.from({ length: 2 * size }, (_, i) => {
    const angle = (Math.PI * i) / size;
    return { cosine: Math.cos(angle), sine: Math.sin(angle) };
  });
  const table = Float32Array.from({ length: 2 * size * columns }, (_, index) => {
    const [wave, column] = [Math.floor(index / columns), index % columns];
    return value(wave, angles[(frequencyOf(wave, size) * column) % (2 * size)], column);
  });
  return constant(table, [2 * size, columns], "float32");
}
