import { expect, test } from "vitest";
import { evaluate, randomValues } from "../../test/evaluate.ts";
import { gradients } from "../graph/gradients.ts";
import { sum } from "../graph/operators/broadcasting.ts";
import { multiply, square, subtract } from "../graph/operators/elementwise.ts";
import { concatenate, reshape } from "../graph/operators/layout.ts";
import { input, type Tensor } from "../graph/tensor.ts";
import { Random } from "../numeric/random.ts";
import type { Architecture, Layer, Pair } from "./architecture.ts";
import { autoEncoderParameters, decodeFeatures, encodeImages } from "./layers.ts";
import { initialValues, parameterSize, splitParameters, totalSize } from "./parameters.ts";

/** Blocks of random kernels, paddings and windows, each map at least 2x2, then a feature layer that covers the rest. */
function randomArchitecture(random: Random): Architecture {
  const image = { channels: random.integer(2) * 2 + 1, height: 6 + random.integer(8), width: 6 + random.integer(8) };
  const batchNormalization = random.integer(4) > 0;
  const layers: Layer[] = [];
  let size: Pair = [image.height, image.width];
  for (let block = 1; block <= 2; block++) {
    const plan = size.map((side) => {
      const padding = random.integer(2);
      const kernel = 2 + random.integer(2);
      const output = side + 2 * padding - kernel + 1;
      return { padding, kernel, window: output % 2 === 0 && output > 4 ? 2 : 1, output };
    });
    layers.push({
      kind: "convolution",
      name: `conv${block}`,
      kernel: [plan[0].kernel, plan[1].kernel],
      filters: 2 + random.integer(3),
      padding: [plan[0].padding, plan[1].padding],
      batchNormalization,
      activation: random.integer(2) === 0 ? "tanh" : "sigmoid",
    });
    layers.push({ kind: "pool", name: `pool${block}`, size: [plan[0].window, plan[1].window] });
    size = [plan[0].output / plan[0].window, plan[1].output / plan[1].window];
  }
  const feature = {
    kernel: size,
    filters: 5,
    padding: [0, 0] as const,
    batchNormalization,
    activation: "linear" as const,
  };
  return { name: "random", image, layers: [...layers, { kind: "convolution", name: "feature", ...feature }] };
}

/** Now and then a step changes which value of a window is the largest; the loss jumps there and has no slope. */
const sameSwitches = (a: Record<string, number[]>, b: Record<string, number[]>): boolean =>
  Object.keys(a).every((name) => name === "loss" || name === "gradient" || String(a[name]) === String(b[name]));

test.each(Array.from({ length: 12 }, (_, seed) => [seed]))(
  "the auto-encoder's gradient is its difference quotient: random architecture %i",
  async (seed) => {
    const random = new Random(seed, "architecture");
    const architecture = randomArchitecture(random);
    const { channels, height, width } = architecture.image;
    const batch = 4;
    const specs = autoEncoderParameters(architecture);
    const vector = input("parameters", [totalSize(specs)]);
    const parameters = splitParameters(vector, specs);
    const x = input("x", [channels, height, width, batch]);
    const encoded = encodeImages(x, architecture, { parameters });
    const { reconstruction } = decodeFeatures(encoded, architecture, { parameters });
    const loss = multiply(sum(square(subtract(reconstruction, x))), 1 / batch);
    const gradient = concatenate(
      gradients(loss, [...parameters.values()]).map((piece, index) => reshape(piece, [parameterSize(specs[index])])),
      0,
    );
    const outputs: Record<string, Tensor> = { loss, ...Object.fromEntries(encoded.switches) };
    const feeds = { x: randomValues(random, channels * height * width * batch) };
    const point = initialValues(specs, seed);
    const centre = await evaluate({ ...outputs, gradient }, { ...feeds, parameters: point });
    const norm = Math.hypot(...centre.gradient);
    // Along the gradient, where the slope is large compared with rounding, plus noise in every other direction.
    const noise = randomValues(random, point.length);
    const direction = point.map((_, i) => centre.gradient[i] / norm + noise[i] / Math.sqrt(point.length));
    const slope = direction.reduce((total, value, i) => total + value * centre.gradient[i], 0);
    const at = (h: number) =>
      evaluate(outputs, { ...feeds, parameters: point.map((value, i) => value + h * direction[i]) });
    for (let h = 0.01; ; h /= 2) {
      const [above, below] = [await at(h), await at(-h)];
      if (!sameSwitches(centre, above) || !sameSwitches(centre, below)) continue;
      const quotient = (above.loss[0] - below.loss[0]) / (2 * h);
      expect(Math.abs(quotient / slope - 1)).toBeLessThan(5e-3);
      return;
    }
  },
);
