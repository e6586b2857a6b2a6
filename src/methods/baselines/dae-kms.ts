/** DAE-KMS: k-means on the features of a stacked denoising auto-encoder, as DEC's authors compare with. */
import type { Images } from "../../images/dataset.ts";
import { withShrinking } from "../../network/architecture.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { Method } from "../method.ts";
import { resolved, settingsFor } from "../training/common-options.ts";
import { fittedByKMeans } from "../training/outcome.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import { type DaeOptions, daeNetwork, daeOptions, plannedDense, seenBy, trainDae } from "./dae.ts";

export const daeKmsSettings = (dataset: Images, options: DaeOptions) => settingsFor(daeOptions, dataset, options);

export async function fitDaeKms(dataset: Images, options: DaeOptions): Promise<Fitted> {
  const settings = daeKmsSettings(dataset, options);
  const run = new ResumableRun(options.checkpoints, options.collective);
  const { seen, shrink } = seenBy(dataset, settings);
  const network = daeNetwork(seen, settings.units, options);
  announce(options, plannedDense(settings, dataset));
  const context = { dataset: seen, run, options: resolved(options, settings) };
  const trained = await trainDae(network, settings, context);
  const architecture = withShrinking(network, shrink);
  const { history } = run;
  return fittedByKMeans(
    dataset,
    { method: "dae-kms", settings, architecture, trained, autoEncoder: trained, history },
    options,
  );
}

export const daeKms: Method<DaeOptions> = {
  name: "dae-kms",
  title: "DAE-KMS",
  summary: "k-means on the features of a stacked denoising auto-encoder",
  reference: "Xie, Girshick, Farhadi: Unsupervised Deep Embedding for Clustering Analysis, 2016",
  goodFor: "small, centred images such as digits; what DEC and DCN begin with",
  options: daeOptions,
  settings: daeKmsSettings,
  fit: fitDaeKms,
};
