/** DAE-KMS: k-means on the features of a stacked denoising auto-encoder, as DEC's authors compare with. */
import type { Images } from "../dataset.ts";
import type { Fitted } from "../model/fitted.ts";
import { Course } from "./course.ts";
import { type DaeOptions, daeNetwork, daeSettings, trainDae } from "./dae.ts";
import { fittedByKMeans } from "./feature-clusters.ts";
import type { Method } from "./method.ts";

export async function fitDaeKms(dataset: Images, options: DaeOptions): Promise<Fitted> {
  const settings = daeSettings(dataset, options);
  const course = new Course(options.checkpoints);
  const architecture = daeNetwork(dataset, settings.units);
  const trained = await trainDae(architecture, settings, options, { dataset, course, options });
  const { history } = course;
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
  settings: (dataset, options) => daeSettings(dataset, options),
  fit: fitDaeKms,
};
