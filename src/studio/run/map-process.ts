/** A process of its own that computes the map of a run, so that the studio answers meanwhile, and ends with the studio. */
import { setPriority } from "node:os";
import { InputError, reasonOf } from "../../files/errors.ts";
import { wholePlaces } from "../../report/places.ts";
import { mapIterations, mappedImages, mostPoints, tsneEmbed } from "../../report/t-sne-map.ts";
import { Likeness } from "./likeness.ts";
import { type MapMessage, mapExtent } from "./map-message.ts";

const send = (message: MapMessage): void => {
  process.send?.(message);
};

async function compute(run: string): Promise<void> {
  const likeness = new Likeness(run);
  const { rows, columns } = likeness.shape;
  const images = mappedImages(rows, columns, mostPoints);
  const embed = tsneEmbed({ onProgress: (_, done, total) => send({ done: done / total }) });
  const map = await embed(likeness.rows(images), { name: "map", iterations: mapIterations });
  send({ images, places: wholePlaces(map, mapExtent) });
}

process.once("disconnect", () => process.exit());
// Whatever a person does comes first.
setPriority(10);
const [, , run] = process.argv;
try {
  if (run === undefined) throw new InputError("the folder of a run is missing");
  await compute(run);
} catch (error) {
  send({ failed: reasonOf(error) });
}
process.disconnect?.();
