/** FCAE-KMS: k-means on the features of a fully convolutional auto-encoder (Algorithm 1). */
import type { Images } from "../dataset.ts";
import type { Fitted } from "../model/fitted.ts";
import { Course } from "./course.ts";
import { type FcaeOptions, fcaeSettings, networkOf, trainFcae } from "./fcae.ts";
import { fittedByKMeans } from "./feature-clusters.ts";
import type { Method } from "./method.ts";

export async function fitFcaeKms(dataset: Images, options: FcaeOptions): Promise<Fitted> {
  const settings = fcaeSettings(dataset, options);
  const course = new Course(options.checkpoints);
  const trained = await trainFcae(options, { dataset, course, options });
  const architecture = networkOf(dataset, options);
  const { history } = course;
  return fittedByKMeans(
    dataset,
    { method: "fcae-kms", settings, architecture, trained, autoEncoder: trained, history },
    options,
  );
}

export const fcaeKms: Method<FcaeOptions> = {
  name: "fcae-kms",
  title: "FCAE-KMS",
  summary: "k-means on the features of a fully convolutional auto-encoder",
  reference: "Li, Qiao, Zhang: Discriminatively Boosted Image Clustering with Fully Convolutional Auto-Encoders, 2018",
  goodFor: "a first look at images of any size, at half the time of DBC",
  settings: fcaeSettings,
  fit: fitFcaeKms,
};
