/**
 * How the work is divided. A mini-batch may come in parts, each normalized by its own statistics; ranks take some of the
 * parts each. A part is drawn from a share of the images that is its own, so that a rank reads no others. Shares are
 * random: images are often sorted by class, as those of folders are, or classes take turns, and the statistics of a part
 * must be about those of the whole.
 */
import { alone, type Collective } from "../../engine/ranks/collective.ts";
import { InputError } from "../../files/errors.ts";
import type { Images } from "../../images/dataset.ts";
import { Random } from "../../numeric/random.ts";
import type { CountOption } from "../options.ts";

export interface PartsOptions {
  /** Parts of a mini-batch, a multiple of the ranks. Default: as many as there are ranks. */
  readonly parts?: number;
  /** The processes that share the work. Default: this one alone. */
  readonly collective?: Collective;
}

/** For methods that train with mini-batches. */
export const partsOption = {
  kind: "count",
  least: 1,
  help: "Parts of every mini-batch, each normalized by its own statistics: less memory, and what as many ranks compute.",
  group: "machine",
  optional: "whole mini-batches, or a part for each rank",
  default: undefined,
} as const satisfies CountOption;

/** One part of a mini-batch, from 0. */
export interface Part {
  readonly number: number;
  readonly of: number;
}

/** The parts that this process takes. */
export function ownParts(options: PartsOptions): readonly Part[] {
  const { rank, size } = options.collective ?? alone;
  const of = partsOf(options);
  return Array.from({ length: of / size }, (_, index) => ({ number: rank + index * size, of }));
}

export const partsOf = ({ parts, collective = alone }: PartsOptions): number => parts ?? collective.size;

/** Images of a part: a mini-batch is made a little larger where it cannot be divided evenly. */
export const partSize = (batch: number, options: PartsOptions): number => {
  const parts = partsOf(options);
  return parts === 1 ? batch : Math.max(2, Math.ceil(batch / parts));
};

/** The images of every share, in ascending order; always the same. A rank's are those of all its parts. */
export function sharesOf(count: number, shares: number): readonly Uint32Array[] {
  if (shares === 1) return [Uint32Array.from({ length: count }, (_, image) => image)];
  const divided = Array.from(
    { length: shares },
    (_, share) => new Uint32Array(Math.ceil(Math.max(0, count - share) / shares)),
  );
  new Random(0, "shares").permutation(count).forEach((image, place) => {
    divided[place % shares][Math.floor(place / shares)] = image;
  });
  return divided.map((images) => images.sort());
}

/** Whether an image is in the share of this rank. */
export function ownImages(count: number, { rank, size }: Collective): (image: number) => boolean {
  const isOwn = new Uint8Array(count);
  for (const image of sharesOf(count, size)[rank]) isOwn[image] = 1;
  return (image) => isOwn[image] === 1;
}

/** Each part draws by a stream of its own; a mini-batch that is not divided, by the stream that it always had. */
export const partStream = (use: string, { number, of }: Part): string =>
  of === 1 ? use : `${use}, part ${number + 1} of ${of}`;

/** Something for each part, made when it is first asked for. */
export function perPart<Value>(make: (part: Part) => Value): (part: Part) => Value {
  const made = new Map<number, Value>();
  return (part) => {
    const value = made.get(part.number) ?? make(part);
    made.set(part.number, value);
    return value;
  };
}

/** Throws where the work cannot be divided like that. */
export function expectDivisible({ name, count }: Images, options: PartsOptions): void {
  const { size } = options.collective ?? alone;
  const parts = partsOf(options);
  if (parts % size !== 0)
    throw new InputError(`parts must be a multiple of the number of ranks, ${size}, not ${parts}`, { option: "parts" });
  if (parts > 1 && count < 2 * parts)
    throw new InputError(`${name}: ${count} images are too few for ${parts} parts, which take 2 each`, {
      option: "parts",
    });
}

/** For methods that cannot share their work. */
export function expectOneProcess(method: string, reason: string, options: PartsOptions): void {
  if (partsOf(options) === 1) return;
  const remedy = (options.collective ?? alone).size > 1 ? "start it without mpirun" : "leave out parts";
  throw new InputError(`method "${method}" runs in one process and in one part, as ${reason}; ${remedy}`, {
    option: "method",
  });
}
