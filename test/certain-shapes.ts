/** The synthetic shapes in clusters that are mostly right, with random scores. */
import { Random } from "../src/numeric/random.ts";
import { shapeDataset } from "./shapes.ts";

export function certainShapes(count: number) {
  const images = shapeDataset(count);
  const random = new Random(0, "clusters");
  const labels = Int32Array.from({ length: count }, (_, image) => image % 4);
  // Cluster 3 − label, except for every seventh image.
  const assignments = labels.map((label, image) => (image % 7 === 0 ? random.integer(4) : 3 - label));
  const certainty = Float32Array.from({ length: count }, () => 0.3 + 0.7 * random.uniform());
  return { images, labels, assignments, certainty, k: 4 };
}
