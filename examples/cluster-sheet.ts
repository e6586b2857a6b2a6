/**
 * Draws a run: a row a cluster, its surest images first.
 *
 * npx tsx examples/cluster-sheet.ts <run> <folder|name> <sheet.png>
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadRun, openDataset, pixelCount } from "boostcluster";
import sharp from "sharp";

const [run = "runs/mnist-test", source = "mnist-test", file = "clusters.png"] = process.argv.slice(2);
const columns = 24;
const gap = 2;

const { record } = loadRun(run);
const dataset = await openDataset(source, { size: [record.dataset.image.height, record.dataset.image.width] });
const { channels, height, width } = dataset.image;
const rows: { cluster: number; score: number }[] = readFileSync(join(run, "assignments.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

const sheet = { width: columns * (width + gap) + gap, height: record.k * (height + gap) + gap };
const pixels = new Uint8Array(sheet.width * sheet.height * channels).fill(255);
const image = new Float32Array(pixelCount(dataset.image));

for (let cluster = 0; cluster < record.k; cluster++) {
  const members = [...rows.keys()].filter((index) => rows[index].cluster === cluster);
  const surest = members.sort((a, b) => rows[b].score - rows[a].score).slice(0, columns);
  surest.forEach((index, column) => {
    dataset.read([index], image);
    for (let place = 0; place < height * width; place++) {
      const y = gap + cluster * (height + gap) + Math.floor(place / width);
      const x = gap + column * (width + gap) + (place % width);
      for (let channel = 0; channel < channels; channel++)
        pixels[(y * sheet.width + x) * channels + channel] = 255 * image[channel * height * width + place];
    }
  });
}
await sharp(pixels, { raw: { ...sheet, channels: channels === 1 ? 1 : 3 } })
  .png()
  .toFile(file);
console.log(`${record.k} clusters in ${file}`);
dataset.close();
