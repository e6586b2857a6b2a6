/** How to use the run: reproduce it, sort new images with it. */
import type { RunRecord } from "../runs/run-record.ts";
import { type Html, html } from "./html.ts";
import type { ReportContext, Section } from "./section.ts";
import type { Subject } from "./subject.ts";

/** Paths are relative to the folder of the run, so that it can be moved. */
export function usageSection({ record }: Subject, { command }: Pick<ReportContext, "command">): Section {
  return {
    id: "usage",
    title: "Use it again",
    body: html`${command === undefined ? undefined : html`<p>The same run again:</p>\n${commandLine(command)}`}
<p>To find the clusters of new images, in the folder of the run, which holds <code>model.onnx</code>:</p>
${commandLine("boostcluster predict . new-images")}
<h3>From TypeScript</h3>
${code(inTypeScript(record))}
<h3>From Python</h3>
${code(inPython(record))}`,
  };
}

/** A command wraps; lines of code scroll. */
const commandLine = (text: string): Html => html`<pre class="command"><code>${text}</code></pre>`;
const code = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

const fitOf = ({ settings: { fit } }: RunRecord): string => (typeof fit === "string" ? fit : "cover");

const inTypeScript = (record: RunRecord): string => `import { loadRun, Predictor, streamImages } from "boostcluster";

const { record, trained } = loadRun(".");
const predictor = await Predictor.open(record.architecture, trained, { k: record.k, v: record.v });
for await (const one of streamImages(["new-images"], { image: record.dataset.image, fit: "${fitOf(record)}" })) {
  if ("reason" in one) continue; // it could not be read
  const { scores } = await predictor.predict(one.pixels);
  console.log(one.item, scores.indexOf(Math.max(...scores)));
}
await predictor.close();`;

function inPython(record: RunRecord): string {
  const { channels, height, width } = record.dataset.image;
  const fitted = {
    cover: `ImageOps.fit(image, (${width}, ${height}))`,
    contain: `ImageOps.pad(image, (${width}, ${height}), color="white")`,
    fill: `image.resize((${width}, ${height}))`,
  };
  const fit = fitOf(record);
  return `import numpy
import onnxruntime
from PIL import Image, ImageOps

model = onnxruntime.InferenceSession("model.onnx")
image = ImageOps.exif_transpose(Image.open("new.jpg")).convert("${channels === 1 ? "L" : "RGB"}")
image = ${fit === "contain" || fit === "fill" ? fitted[fit] : fitted.cover}
pixels = numpy.asarray(image, numpy.float32) / 255
images = ${channels === 1 ? "pixels[None, None]" : "pixels.transpose(2, 0, 1)[None]"}  # ${[1, channels, height, width].join(" x ")}
features, scores = model.run(["features", "scores"], {"images": images})
print(scores[0].argmax(), scores[0].max())`;
}
