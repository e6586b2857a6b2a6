/** The options of DBC, with their defaults by preset: as the paper says, and with what we add. */
import { mostLandmarks } from "../../clustering/graph-clusters.ts";
import { balances } from "../../clustering/targets.ts";
import { InputError } from "../../files/errors.ts";
import type { Augmentation } from "../../images/augmentation.ts";
import { haveOneBackground } from "../../images/background.ts";
import type { Images } from "../../images/dataset.ts";
import { isVector, shrunkSize } from "../../images/image.ts";
import { shrinkFactor } from "../../images/shrunk-dataset.ts";
import type { Architecture } from "../../network/architecture.ts";
import { imagesAtOnce } from "../../network/predictor.ts";
import type { MethodOptions } from "../method.ts";
import { type Known, type OptionsOf, type OptionTable, presets } from "../options.ts";
import {
  batchesOption,
  epochsOption,
  epochsOrSteps,
  initialClustersOption,
  optimizerOption,
  passOver,
  settingsFor,
  toleranceOption,
} from "../training/common-options.ts";
import { longestEpoch } from "../training/drawn-images.ts";
import { statisticsKinds } from "./batch-scores.ts";
import { fcaeOptions, networkFor, ofVectors, withNetwork } from "./fcae.ts";
import { isLinear } from "./linear-encoder.ts";

/** Where the clusters come from that stage II begins with. */
const clusterSources = ["graph", "k-means", "agreement"] as const;

/** Larger images are shrunk to this by the boosted preset: what tells groups apart is seldom finer. */
const boostedSide = 32;

/** Fewer images than these are few: epochs are more than passes over them, and all of it is short. */
const fewImages = 640;

/** Clusters of fewer images than these, on average, are small. */
export const smallClusters = 100;

/** Fewer mini-batches per epoch are not worth the look at all images that an epoch begins with. */
const fewestBatches = 20;

/** Of both stages. At Adam's usual 0.001, as many steps of stage I leave neighbourhoods less pure. */
const boostedOptimizer = { kind: "adam", learningRate: 0.003 } as const;

const atMost = "at most those of 70,000 images";

/** In this order: a default may follow from any option before it. */
export const dbcOptions = {
  preset: {
    kind: "choice",
    choices: presets,
    help: "Preset that the other options' defaults come from: boosted, the best clusters that we know how to find, or paper, nothing but what the paper says.",
    group: "run",
    default: "boosted",
  },
  ...fcaeOptions,
  vectorEncoder: { ...fcaeOptions.vectorEncoder, default: { paper: ofVectors("dense"), boosted: ofVectors("linear") } },
  networkSide: {
    ...fcaeOptions.networkSide,
    default: {
      paper: undefined,
      boosted: {
        words: `${boostedSide}`,
        value: ({ isGiven }: Known) => (isGiven("architecture") ? undefined : boostedSide),
      },
    },
  },
  batch: {
    ...fcaeOptions.batch,
    default: {
      paper: fcaeOptions.batch.default,
      boosted: { words: "from 32 to 256, by the number of images", value: boostedBatch },
    },
  },
  pretrainEpochs: {
    ...fcaeOptions.pretrainEpochs,
    default: {
      paper: fcaeOptions.pretrainEpochs.default,
      boosted: {
        words:
          "10, or as many as make 900 steps (1,000 for colour) or see 100,000 images; fewer for under 1,000 images; 0 with a linear encoder",
        value: boostedPretraining,
      },
    },
  },
  pretrainBatches: {
    ...fcaeOptions.pretrainBatches,
    default: { paper: passOver, boosted: { words: `${passOver.words}, ${atMost}`, value: shortPass } },
  },
  augmentation: {
    ...fcaeOptions.augmentation,
    default: {
      paper: "none",
      boosted: {
        words: "move, or photo for colour photographs; none for vectors",
        value: ({ images }: Known) => augmentationFor(images),
      },
    },
  },
  pretrainOptimizer: {
    ...fcaeOptions.pretrainOptimizer,
    default: { paper: fcaeOptions.pretrainOptimizer.default, boosted: boostedOptimizer },
  },
  batches: {
    ...batchesOption,
    default: {
      paper: passOver,
      boosted: {
        words: `${passOver.words}, ${fewestBatches} at the least, ${atMost}`,
        value: (known: Known) => Math.max(fewestBatches, shortPass(known)),
      },
    },
  },
  epochs: {
    ...epochsOption,
    default: {
      paper: 50,
      boosted: {
        words: "12, or as many as make 1,200 steps or 30 steps per cluster; fewer for under 640 images",
        value: (known: Known) => epochsFor(known, 12, Math.max(stageTwoSteps(known), 30 * known.number("k"))),
      },
    },
  },
  tolerance: { ...toleranceOption, default: 0 },
  alpha: {
    kind: "number",
    over: 1,
    help: "Boosting factor α of the targets, over 1.",
    group: "stageTwo",
    default: 2,
  },
  v: {
    kind: "number",
    over: 0,
    help: "Degrees of freedom v of the scores' t-distribution.",
    group: "stageTwo",
    default: 1,
  },
  balance: {
    kind: "choice",
    choices: balances,
    help: "n_j that balances the targets: boosted, Σ s^α as in Algorithm 2; targets, Σ r as in the paper's text; scores, Σ s as in DEC; or none.",
    group: "stageTwo",
    default: "boosted",
  },
  statistics: {
    kind: "choice",
    choices: statisticsKinds,
    help: "What scores are normalized by while clusters are trained: running statistics, as in the finished model, or each mini-batch's own.",
    group: "stageTwo",
    default: "running",
  },
  optimizer: {
    ...optimizerOption,
    default: { paper: { kind: "sgd", learningRate: 0.1 }, boosted: boostedOptimizer },
  },
  trials: {
    kind: "count",
    least: 1,
    help: "Repetitions of both stages; those clusters are kept that have the lowest mean normalized cut in the neighbour graph of the images themselves.",
    group: "additions",
    default: 1,
  },
  autoEncoders: {
    kind: "count",
    least: 1,
    help: "Auto-encoders of each start; clusters are found in the features of all together.",
    group: "additions",
    default: {
      paper: 1,
      boosted: {
        words: `1; 2 for clusters of fewer than ${smallClusters} images`,
        value: (known: Known) => (willBeLinear(known) ? 1 : autoEncodersFor(known.images.count, known.number("k"))),
      },
    },
  },
  overClusteringEpochs: {
    kind: "count",
    least: 0,
    help: "Epochs before stage II in which the encoder learns four times as many, smaller groups.",
    group: "additions",
    default: {
      paper: 0,
      boosted: {
        words: "3, or as many as make 600 steps or 5 per cluster, at most half of the epochs",
        value: boostedOverClustering,
      },
    },
  },
  initialClusters: {
    ...initialClustersOption,
    choices: clusterSources,
    group: "additions",
    default: {
      paper: "k-means",
      boosted: {
        words: "graph; agreement for vectors",
        value: ({ images }: Known) => (isVector(images.image) ? "agreement" : "graph"),
      },
    },
  },
  unaugmentedEpochs: {
    kind: "count",
    least: 0,
    help: "Last epochs of stage II, which learn from images as they are.",
    group: "additions",
    default: {
      paper: 0,
      boosted: { words: "a third of the epochs", value: ({ number }: Known) => lastThird(number("epochs")) },
    },
  },
  reclusterings: {
    kind: "count",
    least: 0,
    help: "How often, evenly over stage II, clusters are found anew from the features as they are by then.",
    group: "additions",
    default: 0,
  },
  warmUpEpochs: {
    kind: "count",
    least: 0,
    help: "First epochs of stage II, and those after each reclustering, which learn pseudo-labels alone: the clusters that were found.",
    group: "additions",
    default: {
      paper: 0,
      boosted: {
        words: "two thirds of the epochs, shared among the warm-ups",
        value: ({ number }: Known) =>
          Math.floor((number("epochs") - lastThird(number("epochs"))) / (number("reclusterings") + 1)),
      },
    },
  },
  pseudoLabelWeight: {
    kind: "number",
    from: 0,
    to: 1,
    help: "How much pseudo-labels count beside the network's own scores in the other epochs.",
    group: "additions",
    default: { paper: 0, boosted: 1 },
  },
  landmarks: {
    kind: "count",
    least: 1,
    help: "The most images that clusters are learned from: of more, a random sample, which the others join afterwards.",
    group: "additions",
    default: {
      paper: { words: "all images", value: ({ images }: Known) => images.count },
      boosted: {
        words: `all images, or ${mostLandmarks.toLocaleString("en")} of them`,
        value: ({ images }: Known) => Math.min(images.count, mostLandmarks),
      },
    },
  },
  finalLearningRate: {
    kind: "number",
    from: 0,
    to: 1,
    help: "Share of the learning rate that it falls to by the end of stage II, along half a cosine.",
    group: "additions",
    default: { paper: 1, boosted: 0.05 },
  },
  smoothing: {
    kind: "number",
    from: 0,
    to: 0.95,
    help: "Share of an image's final scores that comes from its nearest neighbours.",
    group: "additions",
    default: {
      paper: 0,
      boosted: {
        words: "0.95; 0 for vectors",
        value: ({ images }: Known) => (isVector(images.image) ? 0 : 0.95),
      },
    },
  },
} as const satisfies OptionTable;

export interface DbcOptions extends MethodOptions, OptionsOf<typeof dbcOptions> {
  /** Default: the paper's network for the paper's datasets, else one derived from the image size. */
  readonly architecture?: Architecture;
}

/** The options, checked and with their defaults. */
export function dbcSettings(dataset: Images, options: DbcOptions) {
  const settings = settingsFor(dbcOptions, dataset, options);
  if (settings.landmarks < settings.k)
    throw new InputError(`landmarks must be at least as many as clusters, ${settings.k}, not ${settings.landmarks}`, {
      option: "landmarks",
    });
  const network = networkFor(dataset, { ...options, ...settings });
  return { ...withNetwork(settings, network), ...(isLinear(network) ? untrained : {}) };
}

/** Of a linear encoder, whatever was asked for: it is known without training, and has nothing to over-cluster. */
const untrained = { pretrainEpochs: 0, autoEncoders: 1, overClusteringEpochs: 0, trials: 1 };

export type DbcSettings = ReturnType<typeof dbcSettings>;

/** Whether the encoder will be linear. */
const willBeLinear = ({ images, isGiven, choice }: Known): boolean =>
  isVector(images.image) && !isGiven("architecture") && choice("vectorEncoder") === "linear";

/** Mini-batches that see each image once, or some of them where there are very many. */
function shortPass({ images, number }: Known): number {
  return Math.ceil(Math.min(images.count, longestEpoch) / number("batch"));
}

/** Epochs of over-clustering or stage II: as many as make so many steps; and, unless images are few, so many at least. */
const epochsFor = ({ images, number }: Known, epochs: number, steps: number): number =>
  Math.max(images.count < fewImages ? 1 : epochs, Math.ceil(steps / number("batches")));

/** A handful of images is learned in fewer steps: from 150 for hardly any to 1,200 for 640. */
const stageTwoSteps = ({ images: { count } }: Known): number => 150 + 1050 * Math.min(1, count / fewImages);

/** A power of two from 32 to 256 that makes some thirty steps per epoch, where there are neither few images nor many. */
function boostedBatch({ images: { image, count }, isGiven, number }: Known): number {
  const seen = isGiven("architecture") ? image : shrunkSize(image, shrinkFactor(image, number("networkSide")));
  const power = Math.max(5, Math.min(8, Math.round(Math.log2(count / 32))));
  return Math.min(imagesAtOnce(seen), count, 2 ** power);
}

/** Steps that see about 100,000 images by batches of 32: more are wasted on few images. */
const mostStepsOfFew = 3200;

/** For few images 100 steps and 4 per image, up to 3,200; for more, as many as see 100,000 images, or 900 at the least. */
function boostedPretraining(known: Known): number {
  const { images, number } = known;
  const { image, count } = images;
  if (willBeLinear(known)) return 0;
  const epochsOf = (epochs: number, steps: number): number => epochsOrSteps(epochs, steps, images, number("batch"));
  if (count < 1000) return epochsOf(1, Math.min(100 + 4 * count, mostStepsOfFew));
  return Math.max(
    epochsOf(10, image.channels === 1 ? 900 : 1000),
    Math.min(Math.ceil(100_000 / count), epochsOf(1, mostStepsOfFew)),
  );
}

/** Grey images may be digits or letters, which mean something else in a mirror; one light may tell things apart. */
function augmentationFor(images: Images): Augmentation {
  if (isVector(images.image)) return "none";
  return images.image.channels === 1 || haveOneBackground(images) ? "move" : "photo";
}

/** Several auto-encoders differ in what they get wrong, and small clusters are easily split or merged. */
export const autoEncodersFor = (count: number, k: number, small = smallClusters): number => (count / k < small ? 2 : 1);

/** Where someone wants stage II short, this is short as well. */
function boostedOverClustering(known: Known): number {
  if (willBeLinear(known)) return 0;
  const epochs = epochsFor(known, 3, Math.max(600, 5 * known.number("k")));
  return Math.min(epochs, Math.ceil(known.number("epochs") / 2));
}

const lastThird = (epochs: number): number => Math.floor(epochs / 3);
