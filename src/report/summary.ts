/** The top of the report: what was clustered and with what result, in a few sentences and numbers. */
import { basename } from "node:path";
import { evaluateClustering } from "../metrics/external.ts";
import { counted, formatSeconds, percent, whole } from "../numeric/format.ts";
import type { Decided } from "../runs/decisions/fold-decisions.ts";
import type { HistoryEntry } from "../runs/fitted.ts";
import { isOfVectorsAlone, type RunRecord } from "../runs/run-record.ts";
import { clarityByLabels, clarityBySilhouette } from "./clarity.ts";
import { type Html, html } from "./html.ts";
import { type Subject, titleOf } from "./subject.ts";

interface Summary {
  readonly work: string;
  /** How clear the clusters are; undefined if all images are in one. */
  readonly clarity: string | undefined;
  /** The numbers to remember, with their names. */
  readonly numbers: readonly (readonly [name: string, value: string])[];
}

export function summarize(subject: Subject): Summary {
  const { run, record, labels, certain } = subject;
  const { dataset, k, method, seconds, quality } = record;
  const total = formatSeconds(Object.values(seconds).reduce((a, b) => a + b, 0));
  const metrics = labels === undefined ? undefined : evaluateClustering(labels.values, certain.assignments);
  const silhouette = quality?.silhouette;
  const taken = Object.keys(seconds).length === 0 ? [] : [["time", total] as const];
  return {
    work: `${describeThings(record)} sorted into ${counted(k, "cluster")} by ${method.toUpperCase()}${taken.length === 0 ? "" : ` in ${total}`}.${ending(subject)}${decidedSince(subject)}`,
    clarity:
      metrics !== undefined
        ? clarityByLabels(metrics)
        : silhouette === undefined
          ? undefined
          : clarityBySilhouette(silhouette),
    numbers: [
      [isOfVectorsAlone(record) ? "vectors" : "images", whole(dataset.count)],
      ["clusters", whole(run.decided === undefined ? k : filledClusters(run.decided))],
      ...(metrics === undefined
        ? []
        : ([
            ["ACC", metrics.acc.toFixed(3)],
            ["NMI", metrics.nmi.toFixed(3)],
          ] as const)),
      ...(silhouette === undefined ? [] : ([["silhouette", silhouette.toFixed(2)]] as const)),
      ...taken,
    ],
  };
}

/** What was sorted, and what of it was looked at. */
function describeThings(record: RunRecord): string {
  const { dataset, backbone, settings, architecture } = record;
  const { channels, height, width } = dataset.image;
  if (isOfVectorsAlone(record))
    return `${counted(dataset.count, "vector")} of ${counted(architecture.image.channels, "number")},`;
  const images = `${counted(dataset.count, channels === 1 ? "grey image" : "colour image")} of ${width} × ${height} pixels,`;
  if (backbone !== undefined) return `${images} as ${backbone.name} sees them,`;
  return settings.features === undefined ? images : `${images} by vectors of ${basename(String(settings.features))},`;
}

/** Whether the clusters settled. The last epoch of a run that ends with it is compared with nothing. */
function ending({ record }: Subject): string {
  const clustering = record.history.filter(({ stage }) => stage === "clustering");
  if (clustering.every(({ changed }) => changed === undefined)) return "";
  const epochs = counted(clustering.length, "epoch");
  if (record.converged) return ` The clusters settled after ${epochs}.`;
  return ` Training ended after ${epochs}, as many as it was given${lastKnownChange(clustering)}.`;
}

const filledClusters = ({ clusters }: Decided): number => clusters.filter(({ size }) => size > 0).length;

/** What people have made of it. */
function decidedSince({ run: { decided } }: Subject): string {
  if (decided === undefined) return "";
  const moved = decided.clusters.reduce((sum, cluster) => sum + cluster.moved, 0);
  return ` As people have decided since, there are ${counted(filledClusters(decided), "cluster")}: ${counted(moved, "image")} moved, ${whole(decided.aside)} put aside.`;
}

function lastKnownChange(clustering: readonly HistoryEntry[]): string {
  const changed = clustering.at(-1)?.changed;
  if (changed === undefined) return "";
  const moved = changed === 0 ? "no image" : `${percent(changed)} of the images`;
  return `; in the last epoch but one, ${moved} had changed cluster`;
}

export function renderSummary(subject: Subject): Html {
  const { work, clarity, numbers } = summarize(subject);
  return html`<h1>${titleOf(subject.record)}</h1>
<p class="lede">${work}</p>
${clarity === undefined ? undefined : html`<p class="lede">${clarity}</p>`}
${leftOut(subject)}
<dl class="numbers">${numbers.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
`;
}

/** The most files that are listed by name. */
const mostListed = 50;

function leftOut({ record, dataset }: Subject): Html | undefined {
  const files = record.dataset.skipped;
  if (files.length === 0) return undefined;
  const reasons = new Map(dataset.skipped.map(({ file, reason }) => [file, reason]));
  const lines = files.slice(0, mostListed).map((file) => {
    const reason = reasons.get(file);
    return html`<li><code>${file}</code>${reason === undefined ? undefined : `: ${reason}`}</li>`;
  });
  const more = files.length - lines.length;
  return html`<details>
<summary>${counted(files.length, "file")} ${files.length === 1 ? "was" : "were"} left out.</summary>
<ul>${lines}${more > 0 ? html`<li>and ${whole(more)} more</li>` : undefined}</ul>
</details>`;
}
