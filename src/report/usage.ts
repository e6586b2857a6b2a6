/** How to use the run: reproduce it, sort new images with it. */
import { preprocessing, pythonImports } from "../images/preprocessing.ts";
import { type RunRecord, runFit } from "../runs/run-record.ts";
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

const inTypeScript = (record: RunRecord): string => `import { loadRun, Predictor, streamImages } from "boostcluster";

const { record, trained } = loadRun(".");
const predictor = await Predictor.open(record.architecture, trained, { k: record.k, v: record.v });
for await (const one of streamImages(["new-images"], { image: record.dataset.image, fit: "${runFit(record.settings)}" })) {
  if ("reason" in one) continue; // it could not be read
  const { scores } = await predictor.predict(one.pixels);
  console.log(one.item, scores.indexOf(Math.max(...scores)));
}
await predictor.close();`;

const inPython = ({ dataset, settings }: RunRecord): string => `import onnxruntime
${pythonImports}

${preprocessing(dataset.image, runFit(settings)).python("new.jpg")}
model = onnxruntime.InferenceSession("model.onnx")
features, scores = model.run(["features", "scores"], {"images": images})
print(scores[0].argmax(), scores[0].max())`;
