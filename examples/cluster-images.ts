/**
 * Clusters a folder of images (or a named set), watches, saves, and asks the saved model about one image.
 *
 * npx tsx examples/cluster-images.ts <folder|name> <k> <out>
 */
import { fitDbc, loadRun, openDataset, Predictor, saveRun } from "boostcluster";

const [source = "mnist-test", k = "10", out = "runs/example"] = process.argv.slice(2);

const dataset = await openDataset(source);
const fitted = await fitDbc(dataset, {
  k: Number(k),
  pretrainEpochs: 5,
  epochs: 5,
  onProgress: (event) => {
    if (event.kind === "epoch")
      console.error(`${event.stage} ${event.epoch}/${event.epochs}: loss ${event.loss.toFixed(3)}`);
  },
});
const { sizes } = saveRun(out, fitted, dataset);
console.log(`clusters of ${sizes.join(", ")} images`);

const { record, trained } = loadRun(out);
const predictor = await Predictor.open(record.architecture, trained, { k: record.k, v: record.v });
const image = new Float32Array(fitted.architecture.image.channels * dataset.image.height * dataset.image.width);
dataset.read([0], image);
const { scores } = await predictor.predict(image);
console.log(`the model puts ${dataset.itemName(0)} into cluster ${scores.indexOf(Math.max(...scores))}`);

await predictor.close();
dataset.close();
