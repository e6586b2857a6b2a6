/** FCAE-KMS: k-means on the features of a fully convolutional auto-encoder, which is Algorithm 1 by itself. */
import type { Images } from "../../images/dataset.ts";
import { shrunkDataset } from "../../images/shrunk-dataset.ts";
import { withoutShrinking } from "../../network/architecture.ts";
import type { Fitted } from "../../runs/fitted.ts";
import { algorithm1 } from "../dbc/algorithm-1.ts";
import { type FcaeOptions, fcaeOptions, fcaeSettings, networkFor, plannedAutoEncoders } from "../dbc/fcae.ts";
import type { Method } from "../method.ts";
import { resolved } from "../training/common-options.ts";
import { fittedWith, withCentres } from "../training/outcome.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";

export async function fitFcaeKms(dataset: Images, options: FcaeOptions): Promise<Fitted> {
  const settings = fcaeSettings(dataset, options);
  const architecture = networkFor(dataset, options);
  const network = withoutShrinking(architecture);
  const run = new ResumableRun(options.checkpoints, options.collective);
  const seen = shrunkDataset(dataset, architecture.shrink ?? 1);
  const context = { dataset: seen, run, options: resolved(options, settings) };
  announce(options, [plannedAutoEncoders(settings)]);
  const { autoEncoder, encoder, clusters } = await algorithm1(network, settings, context);
  const trained = withCentres(network, encoder, clusters.centres);
  const { history } = run;
  return fittedWith(dataset, { method: "fcae-kms", settings, architecture, trained, autoEncoder, history }, options);
}

export const fcaeKms: Method<FcaeOptions> = {
  name: "fcae-kms",
  title: "FCAE-KMS",
  summary: "k-means on the features of a fully convolutional auto-encoder",
  reference:
    "Li, Qiao, Zhang, Xi: Discriminatively Boosted Image Clustering with Fully Convolutional Auto-Encoders, 2018",
  goodFor: "a first look at images of any size, at half the time of DBC",
  options: fcaeOptions,
  settings: fcaeSettings,
  fit: fitFcaeKms,
};
