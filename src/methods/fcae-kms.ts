/** FCAE-KMS: k-means on the features of a fully convolutional auto-encoder (Algorithm 1). */
import type { Dataset } from "../dataset.ts";
import type { Fitted } from "../model/fitted.ts";
import { Predictor } from "../network/predictor.ts";
import { encodeDataset, hardAssignments } from "./encode-dataset.ts";
import {
  clusterFeatures,
  type FcaeOptions,
  fcaeSettings,
  sessionOptions,
  trainAutoEncoder,
  withCentres,
} from "./fcae.ts";

export async function fitFcaeKms(dataset: Dataset, options: FcaeOptions): Promise<Fitted> {
  const fcae = await trainAutoEncoder(dataset, options);
  const { centres } = await clusterFeatures(dataset, fcae, options);
  const trained = withCentres(fcae, centres);
  const { architecture, history } = fcae;
  const predictor = await Predictor.open(architecture, trained, { ...sessionOptions(options), k: options.k });
  try {
    const { features, scores } = await encodeDataset(dataset, predictor, { signal: options.signal });
    return {
      method: "fcae-kms",
      settings: fcaeSettings(dataset, options),
      architecture,
      k: options.k,
      v: 1,
      ...trained,
      autoEncoder: fcae,
      assignments: hardAssignments(scores, options.k),
      scores,
      features,
      history,
      converged: true,
    };
  } finally {
    await predictor.close();
  }
}
