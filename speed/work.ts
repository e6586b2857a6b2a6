/** How many floating-point operations a job needs an image, counting only products and sums of convolutions. */
import type { Architecture } from "../src/network/architecture.ts";
import { sizedLayers } from "../src/network/shapes.ts";

export type Job = "fcae" | "dbc" | "predict";

export function operationsPerImage(architecture: Architecture, job: Job): number {
  const forward = sizedLayers(architecture).map(({ layer, input, output }) =>
    layer.kind === "pool"
      ? 0
      : 2 * output.channels * output.height * output.width * input.channels * layer.kernel[0] * layer.kernel[1],
  );
  const encoder = forward.reduce((a, b) => a + b, 0);
  if (job === "predict") return encoder;
  // Backward, each layer costs twice its forward pass; the image needs no gradient.
  const training = 3 * encoder - forward[0];
  return job === "dbc" ? training : training + 3 * encoder;
}
