/**
 * The layout of Roweis's `usps_all.mat`: a variable `data`, uint8, pixels x images per class x classes. Each column is
 * a square image, column by column; slice i of ten is the digit (i + 1) mod 10.
 */

import { memoryBytes } from "../../files/bytes.ts";
import { InputError } from "../../files/errors.ts";
import { type MatArray, readMat } from "../../files/mat.ts";
import { valueCount } from "../../files/numeric-array.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { labelsOf } from "./labels.ts";

export function openUspsMat(file: string): LabelledImages {
  const { shape, values } = findData(file);
  const [pixels, each, classes] = shape;
  const side = Math.sqrt(pixels);
  if (shape.length !== 3 || !Number.isInteger(side) || shape.some((length) => length < 1))
    throw new InputError(
      `${file}: "data" is ${shape.join(" x ")}; make it pixels of a square image x images per class x classes`,
    );
  if (values.length !== valueCount(shape))
    throw new InputError(`${file}: "data" has ${values.length} values, not ${shape.join(" x ")}; get the file again`);
  const count = each * classes;
  const image = { channels: 1, height: side, width: side };
  const order = Uint32Array.from({ length: pixels }, (_, at) => (at % side) * side + Math.floor(at / side));
  const labels = Array.from({ length: count }, (_, index) => className(Math.floor(index / each), classes));
  const records = { bytes: memoryBytes(values), offset: 0, type: "uint8", count, image, order } as const;
  return { records, labels: labelsOf(labels) };
}

function findData(file: string): MatArray {
  const arrays = readMat(file);
  const data = arrays.find(({ name }) => name === "data");
  if (data !== undefined) return data;
  const others = arrays.map(({ name }) => name).join(", ");
  throw new InputError(
    `${file}: has no variable "data" of type uint8${others === "" ? "" : `, but ${others}`}; make it pixels x images ` +
      "per class x classes, as in usps_all.mat",
  );
}

const className = (slice: number, classes: number): string => String(classes === 10 ? (slice + 1) % 10 : slice + 1);
