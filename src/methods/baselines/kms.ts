/** KMS: k-means on the pixels. */
import { sharedKMeans } from "../../clustering/k-means.ts";
import { alone, ownRows } from "../../engine/ranks/collective.ts";
import { sessionOptions } from "../../engine/session.ts";
import type { Images } from "../../images/dataset.ts";
import { pixelArchitecture } from "../../network/architecture.ts";
import { untrained } from "../../network/trained.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { Method, MethodOptions } from "../method.ts";
import { commonOptions, settingsFor } from "../training/common-options.ts";
import { featuresFrom } from "../training/features.ts";
import { fittedWith, withCentres } from "../training/outcome.ts";
import { announce } from "../training/progress.ts";

export const kmsSettings = (dataset: Images, options: MethodOptions) => settingsFor(commonOptions, dataset, options);

export async function fitKms(dataset: Images, options: MethodOptions): Promise<Fitted> {
  const settings = kmsSettings(dataset, options);
  const { k, seed, restarts } = settings;
  const { signal, onProgress } = options;
  announce(options, [{ stage: "clustering", epochs: 1, batches: 1, batch: dataset.count }]);
  const architecture = pixelArchitecture(dataset.image);
  const { count: rows } = dataset;
  const { collective = alone } = options;
  // Pixels take the most memory of all, so a rank has its own alone.
  const { from, to } = ownRows(rows, collective);
  const own = await featuresFrom(dataset, { from, to }, architecture, options);
  const { centres, inertia } = await sharedKMeans(
    { own, first: from, rows, collective },
    {
      k,
      seed,
      restarts,
      ...sessionOptions(options),
      ...(signal === undefined ? {} : { signal }),
    },
  );
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
  options: commonOptions,
  settings: kmsSettings,
  fit: fitKms,
};
