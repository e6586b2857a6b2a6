/** KMS: k-means on the pixels. */

import { kMeans } from "../clustering/k-means.ts";
import type { Images } from "../dataset.ts";
import { matrix } from "../matrix.ts";
import type { Fitted } from "../model/fitted.ts";
import { pixelArchitecture } from "../network/architecture.ts";
import { featureSize } from "../network/shapes.ts";
import { featuresOf, fittedWith, withCentres } from "./feature-clusters.ts";
import type { Method, MethodOptions } from "./method.ts";
import { commonSettings, sessionOptions } from "./settings.ts";

const untrained = { parameters: new Float32Array(0), statistics: new Float32Array(0) };

export async function fitKms(dataset: Images, options: MethodOptions): Promise<Fitted> {
  const settings = commonSettings(dataset, options);
  const { k, seed, restarts } = settings;
  const { signal, onProgress } = options;
  const architecture = pixelArchitecture(dataset.image);
  const pixels = await featuresOf(dataset, architecture, untrained, options);
  const { centres, inertia } = await kMeans(matrix(pixels, featureSize(architecture), "pixels"), {
    k,
    seed,
    restarts,
    ...sessionOptions(options),
    ...(signal === undefined ? {} : { signal }),
  });
  const loss = inertia / dataset.count;
  onProgress?.({ kind: "epoch", stage: "clustering", epoch: 1, epochs: 1, loss });
  const trained = withCentres(architecture, untrained, centres);
  const history = [{ stage: "clustering", epoch: 1, loss } as const];
  return fittedWith(dataset, { method: "kms", settings, architecture, trained, history }, options);
}

export const kms: Method<MethodOptions> = {
  name: "kms",
  title: "KMS",
  summary: "k-means on the pixels",
  reference: "Lloyd: Least Squares Quantization in PCM, 1982; Arthur, Vassilvitskii: k-means++, 2007",
  goodFor: "a baseline in seconds; images that differ in brightness and place rather than in shape",
  settings: commonSettings,
  fit: fitKms,
};
