/** How compact and how far apart a run's clusters are. */
import { InputError } from "../files/errors.ts";
import { calinskiHarabasz, daviesBouldin } from "../metrics/dispersion.ts";
import { silhouette } from "../metrics/silhouette.ts";
import { featureSize } from "../network/shapes.ts";
import { matrix } from "../numeric/matrix.ts";
import type { Fitted } from "../runs/fitted.ts";

const metrics = { silhouette, daviesBouldin, calinskiHarabasz } as const;

/**
 * By name. A metric that these clusters do not have is left out: where all images, or all that the silhouette looks at,
 * are in one cluster, there is nothing to compare them with.
 */
export function qualityOf({
  features,
  architecture,
  assignments,
}: Pick<Fitted, "features" | "architecture" | "assignments">): Readonly<Record<string, number>> | undefined {
  const samples = matrix(features, featureSize(architecture), "features");
  const known = Object.entries(metrics).flatMap(([name, metric]) => {
    const value = ifDefined(() => metric(samples, assignments));
    return value !== undefined && Number.isFinite(value) ? [[name, value] as const] : [];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function ifDefined(metric: () => number): number | undefined {
  try {
    return metric();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
