/** What a benchmark compares: the nine methods as their papers have them, and DBC as we run it. */

import type { Dataset } from "../images/dataset.ts";
import { fitDbc } from "../methods/dbc/dbc.ts";
import { dbcSettings } from "../methods/dbc/options.ts";
import type { MethodOptions } from "../methods/method.ts";
import { methodNames, methods } from "../methods/methods.ts";
import type { Fitted, Settings } from "../runs/fitted.ts";

/** What a benchmark asks of a method. */
export interface BenchmarkMethod {
  /** As tables call it. Default: its name. */
  readonly title?: string;
  settings(dataset: Dataset, options: MethodOptions): Settings;
  fit(dataset: Dataset, options: MethodOptions): Promise<BenchmarkFit>;
}

export type BenchmarkFit = Pick<Fitted, "settings" | "assignments" | "history" | "converged">;

/** By name. `dbc` is the paper's preset; `schedules.ts` says so. */
export const contenders: Readonly<Record<string, BenchmarkMethod>> = {
  ...methods,
  boosted: {
    title: "DBC, boosted",
    settings: (dataset, options) => dbcSettings(dataset, { ...options, preset: "boosted" }),
    fit: (dataset, options) => fitDbc(dataset, { ...options, preset: "boosted" }),
  },
};

export const contenderNames: readonly string[] = [...methodNames, "boosted"];
