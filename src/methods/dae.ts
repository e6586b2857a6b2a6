/**
 * The stacked denoising auto-encoder of DEC (Xie et al. 2016), d-500-500-2000-10: layer by layer on corrupted inputs, then
 * all layers at once on clean ones. DAE-KMS, DEC and DCN begin with it; AEC and DEN with others of its kind.
 */
import type { Images } from "../dataset.ts";
import { pixelCount } from "../image.ts";
import { type Architecture, denseArchitecture } from "../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import type { TrainedValues } from "../network/trained.ts";
import { trainAutoEncoder } from "./auto-encoder.ts";
import { forgetLayers, trainLayers } from "./layer-wise.ts";
import type { MethodOptions } from "./method.ts";
import { pretrainedPhase } from "./pretrained.ts";
import { commonSettings, epochsOrSteps, expectCount, expectShare } from "./settings.ts";
import type { TrainingContext } from "./training.ts";

export interface DaeOptions extends MethodOptions {
  /** Units of the encoder's layers. Default: 500, 500, 2000, 10. */
  readonly units?: readonly number[];
  /** Epochs of each layer by itself. Default: 10, or 500 steps. */
  readonly layerEpochs?: number;
  /** Epochs of all layers together. Default: 50, or 2,000 steps. */
  readonly pretrainEpochs?: number;
  /** The share of a layer's inputs, and outputs, that are set to zero at random, layer by layer. Default: 0.2. */
  readonly corruption?: number;
  /** Images a step. Default: 256. */
  readonly batch?: number;
  /** Of layers and auto-encoder. Default: Adam, learning rate 1e-3. */
  readonly pretrainOptimizer?: OptimizerOptions;
  /** The learning rate is divided by ten every so many epochs of all layers together. Default: never. */
  readonly decayEvery?: number;
}

export interface DaeDefaults {
  readonly units: readonly number[];
}

/** The options, checked and with their defaults. */
export function daeSettings(dataset: Images, options: DaeOptions, defaults: DaeDefaults = daeDefaults) {
  const { units = defaults.units, pretrainOptimizer = { kind: "adam" }, batch = 256 } = options;
  const { layerEpochs = epochsOrSteps(10, 500, dataset, batch), corruption = 0.2, decayEvery } = options;
  const { pretrainEpochs = epochsOrSteps(50, 2000, dataset, batch) } = options;
  const common = commonSettings(dataset, options);
  for (const count of units) expectCount("units", count, 1);
  expectCount("the number of layers in units", units.length, 1);
  expectCount("layerEpochs", layerEpochs, 0);
  expectCount("pretrainEpochs", pretrainEpochs, 0);
  expectShare("corruption", corruption);
  expectCount("batch", batch, 2);
  if (decayEvery !== undefined) expectCount("decayEvery", decayEvery, 1);
  return {
    ...common,
    units,
    layerEpochs,
    pretrainEpochs,
    corruption,
    batch: Math.min(dataset.count, batch),
    pretrainOptimizer: createOptimizer(pretrainOptimizer).settings,
    ...(decayEvery === undefined ? {} : { decayEvery }),
  };
}

const daeDefaults: DaeDefaults = { units: [500, 500, 2000, 10] };

/** ReLU except on the feature and on the output; images are scaled so that a pixel's square is 1 on average. */
export function daeNetwork(dataset: Images, units: readonly number[]): Architecture {
  return denseArchitecture(dataset.image, units, { scale: 1 / Math.sqrt(meanSquare(dataset) || 1) });
}

/** Images looked at for their scale. */
const scaleSamples = 10_000;

function meanSquare(dataset: Images): number {
  const { count } = dataset;
  const samples = Math.min(count, scaleSamples);
  const pixels = new Float32Array(pixelCount(dataset.image));
  let total = 0;
  for (let sample = 0; sample < samples; sample++) {
    dataset.read([Math.floor((sample * count) / samples)], pixels);
    for (const value of pixels) total += value * value;
  }
  return total / (samples * pixels.length);
}

type DaeSettings = Pick<
  ReturnType<typeof daeSettings>,
  | "layerEpochs"
  | "pretrainEpochs"
  | "corruption"
  | "batch"
  | "seed"
  | "pretrainOptimizer"
  | "threads"
  | "device"
  | "decayEvery"
>;

/** Parameters of encoder, then decoder; there are no statistics. */
export async function trainDae(
  architecture: Architecture,
  settings: DaeSettings,
  options: DaeOptions,
  context: TrainingContext,
): Promise<TrainedValues> {
  const { layerEpochs, pretrainEpochs, corruption, batch, seed, decayEvery } = settings;
  const { pretrainOptimizer: optimizer = { kind: "adam" } } = options;
  const { pretrainOptimizer, threads, device } = settings;
  const schedule = { layerEpochs, pretrainEpochs, corruption, batch, seed, decayEvery };
  const decisive = { ...schedule, pretrainOptimizer, threads, device };
  return pretrainedPhase(architecture, decisive, context, async () => {
    const layers = { epochs: layerEpochs, seed, batch, corruption, optimizer };
    const parameters = layerEpochs === 0 ? undefined : await trainLayers(architecture, layers, context);
    const trained = await trainAutoEncoder(
      architecture,
      {
        phase: "auto-encoder training",
        stage: "auto-encoder",
        epochs: pretrainEpochs,
        seed,
        batch,
        optimizer,
        rateScale: (epoch) => (decayEvery === undefined ? 1 : 0.1 ** Math.floor((epoch - 1) / decayEvery)),
        ...(parameters === undefined ? {} : { parameters }),
      },
      context,
    );
    forgetLayers(architecture, context.course);
    return trained;
  });
}
