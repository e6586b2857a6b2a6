/** The course of training: curves, scores and maps by epoch. Methods that do not train have none. */
import { type Curve, curvesFigure } from "../figures/curves.ts";
import { curveOf } from "../figures/history.ts";
import { scoreHistogramsFigure } from "../figures/score-histograms.ts";
import type { HistoryEntry, Stage } from "../runs/fitted.ts";
import { readSnapshots, type Snapshot, scoreBins } from "../runs/snapshots.ts";
import { type Html, html } from "./html.ts";
import { evenly } from "./places.ts";
import { type ReportContext, responsiveFigure, type Section } from "./section.ts";
import { smallMaps } from "./small-maps.ts";
import type { Subject } from "./subject.ts";

export async function trainingSection(subject: Subject, context: ReportContext): Promise<Section | undefined> {
  const { run, record, dataset } = subject;
  const snapshots = readSnapshots(run.folder);
  const curves = trainingCurves(record.history, dataset.labels !== undefined);
  if (curves.length === 0 && snapshots.length === 0) return undefined;
  const maps = await smallMaps(subject, snapshots, context);
  return {
    id: "training",
    title: "How training went",
    body: html`${explanation(record.history)}
<div class="plots">${curves.map((curve) => html`<div>${responsiveFigure(curve)}</div>`)}</div>
${snapshots.length === 0 ? undefined : scores(snapshots, record.k)}
${maps}`,
  };
}

function explanation(history: readonly HistoryEntry[]): Html | undefined {
  const seeing = history.some(({ stage }) => stage === "auto-encoder");
  const sorting = history.some(({ stage, changed }) => stage === "clustering" && changed !== undefined);
  const parts = [
    ...(seeing ? ["The network learns to see: to restore images from the few numbers it computes for each."] : []),
    ...(sorting
      ? ["It learns to sort towards targets that it sets itself anew every epoch, so this loss may rise."]
      : []),
  ];
  return parts.length === 0 ? undefined : html`<p>${parts.join(" ")}</p>`;
}

/** Losses can be compared within a stage only. */
const stages: readonly (readonly [stage: Stage, title: string])[] = [
  ["layers", "Layer by layer"],
  ["auto-encoder", "Learning to see"],
  ["partitions", "Partitions"],
  ["over-clustering", "Learning small groups"],
  ["clustering", "Learning to sort"],
];

/** Draws a figure for a wide screen or for a narrow one. */
type Drawing = (narrow: boolean) => string;

/** Metrics against labels are left out of a report without labels. */
function trainingCurves(history: readonly HistoryEntry[], labelled: boolean): Drawing[] {
  return stages.flatMap(([stage, title]) => {
    const entries = history.filter((entry) => entry.stage === stage);
    const loss = curveOf("loss", entries, (entry) => finite(entry.loss));
    const changed = curveOf("images that changed cluster", entries, (entry) => finite(entry.changed));
    const metrics = ["acc", "nmi"].map((name) =>
      curveOf(name.toUpperCase(), entries, (entry) => finite(entry.metrics?.[name])),
    );
    return [
      ...plot([loss], title),
      ...plot([changed], "Still moving", { percent: true }),
      ...(labelled ? plot(metrics, "Against the labels", { percent: true }) : []),
    ];
  });
}

/** A curve needs at least two epochs. */
function plot(curves: readonly Curve[], title: string, { percent = false } = {}): Drawing[] {
  const known = curves.filter(({ values }) => values.length > 1);
  if (known.length === 0) return [];
  return [(narrow) => curvesFigure({ curves: known, title, percent, width: narrow ? 264 : 460, height: 180 })];
}

const finite = (value: number | undefined): number | undefined => (Number.isFinite(value) ? value : undefined);

/** As in the paper. */
const mostHistograms = 10;

function scores(snapshots: readonly Snapshot[], k: number): Html {
  const shown = evenly(snapshots.length, mostHistograms).map((index) => snapshots[index]);
  const histograms = shown.map(({ epoch, histograms }) => ({ epoch, counts: overClusters(histograms) }));
  return html`<h3>Scores, epoch by epoch</h3>
<p>The scores of all images for all clusters. Training drives them apart: towards 0 for the other clusters, towards 1 for an image’s own.</p>
${responsiveFigure((narrow) => scoreHistogramsFigure({ histograms, counts: "log", k, columns: narrow ? 2 : 5 }))}
`;
}

function overClusters(histograms: Int32Array): Uint32Array {
  const counts = new Uint32Array(scoreBins);
  histograms.forEach((count, index) => {
    counts[index % scoreBins] += count;
  });
  return counts;
}
