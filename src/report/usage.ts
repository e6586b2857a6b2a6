/** How to use the run: reproduce it, sort new images with it. */
import { type ModelInput, modelInput } from "../runs/model-input.ts";
import { type Html, html } from "./html.ts";
import type { ReportContext, Section } from "./section.ts";
import type { Subject } from "./subject.ts";

/** Paths are relative to the folder of the run, so that it can be moved. */
export function usageSection({ record }: Subject, { command }: Pick<ReportContext, "command">): Section {
  const input = modelInput(record);
  const source = input.things === "images" ? "new-images" : "new-vectors.npy";
  return {
    id: "usage",
    title: "Use it again",
    body: html`${command === undefined ? undefined : html`<p>The same run again:</p>\n${commandLine(command)}`}
<p>To find the clusters of new ${input.things}, in the folder of the run, which holds <code>model.onnx</code>:</p>
${commandLine(`boostcluster predict . ${source}`)}
<h3>From TypeScript</h3>
${code(inTypeScript(source))}
<h3>From Python</h3>
${code(inPython(input))}`,
  };
}

/** A command wraps; lines of code scroll. */
const commandLine = (text: string): Html => html`<pre class="command"><code>${text}</code></pre>`;
const code = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

const inTypeScript = (source: string): string => `import { loadRun, openRunModel, streamImages } from "boostcluster";

const model = await openRunModel(loadRun("."));
for await (const one of streamImages(["${source}"], model.input)) {
  if ("reason" in one) continue; // it could not be read
  const { scores } = await model.predict(one.pixels);
  console.log(one.item, scores.indexOf(Math.max(...scores)));
}
await model.close();`;

const inPython = ({ imports, python, things }: ModelInput): string => `import onnxruntime
${imports}

${python(things === "images" ? "new.jpg" : "new-vectors.npy")}
model = onnxruntime.InferenceSession("model.onnx")
features, scores = model.run(["features", "scores"], {"images": images})
print(scores.argmax(axis=1), scores.max(axis=1))`;
