/** What `cluster` says of a finished run. */

import { quoted } from "../files/shell-word.ts";
import { copyCount, type Stack } from "../images/duplicates/stacks.ts";
import { counted, formatSeconds } from "../numeric/format.ts";
import { modelInput } from "../runs/model-input.ts";
import { isOfVectorsAlone, type RunRecord } from "../runs/run-record.ts";
import { stacksText } from "./duplicates.ts";
import { given } from "./options.ts";

/** What `--json` prints. */
export const runSummary = (
  { history, architecture, format, ...record }: RunRecord,
  out: string,
  report: string | undefined,
  stacks: readonly Stack[] | undefined,
) => ({
  out,
  ...(stacks === undefined ? {} : { copies: copyCount(stacks), stacks: stacks.length }),
  ...given({ report }),
  ...record,
  epochsRun: history.length,
  ...record.metrics,
});

/** What a person reads at the end. */
export function describeRun(
  record: RunRecord,
  out: string,
  report: string | undefined,
  stacks: readonly Stack[] = [],
): string {
  const { dataset, k, sizes, none = 0, metrics, quality, seconds, converged, history } = record;
  const things = isOfVectorsAlone(record) ? "vectors" : "images";
  const clustering = history.filter(({ stage }) => stage === "clustering");
  const epochs = clustering.some(({ changed }) => changed !== undefined) ? clustering.length : 0;
  const lines = [
    `${dataset.count} ${things} in ${k} clusters of ${Math.min(...sizes)} to ${Math.max(...sizes)}, in ${formatSeconds(seconds.clustering)}`,
  ];
  const empty = sizes.filter((size) => size === 0).length;
  if (empty > 0) lines.push(`${counted(empty, "cluster")} ended empty; fewer clusters (-k) may fit these ${things}`);
  if (none > 0) lines.push(`${none} of them belong nowhere (column "none" of assignments.csv)`);
  if (stacks.length > 0) lines.push(`${stacksText(stacks)} (duplicates.csv)`);
  if (epochs > 0)
    lines.push(converged ? `assignments settled after ${epochs} epochs` : `stopped after ${epochs} epochs`);
  if (metrics !== undefined)
    lines.push(`ACC ${metrics.acc.toFixed(4)}   NMI ${metrics.nmi.toFixed(4)}   ARI ${metrics.ari.toFixed(4)}`);
  else if (quality?.silhouette !== undefined)
    lines.push(`silhouette ${quality.silhouette.toFixed(3)} (from -1 to 1; higher is clearer)`);
  lines.push(`results: ${out} (assignments.csv, model.onnx, features.npy, run.json)`);
  if (report !== undefined) lines.push(`report: ${report} (open it in a browser)`);
  const organize = isOfVectorsAlone(record) ? "" : `boostcluster organize ${quoted(out)}   or   `;
  lines.push(`next: ${organize}boostcluster predict ${quoted(out)} <${modelInput(record).things}>`);
  return lines.join("\n");
}
