/** The methods that a benchmark compares: the nine of the paper, and DBC with our additions. */

import type { Images } from "../images/dataset.ts";
import { fitDbc } from "../methods/dbc/dbc.ts";
import { dbcSettings } from "../methods/dbc/options.ts";
import type { MethodOptions } from "../methods/method.ts";
import { methodNames, methods } from "../methods/methods.ts";
import type { Fitted, Settings } from "../runs/fitted.ts";

/** The part of a method that a benchmark uses. */
export interface BenchmarkMethod {
  /** The name in tables. Default: the method's own. */
  readonly title?: string;
  settings(dataset: Images, options: MethodOptions): Settings;
  fit(dataset: Images, options: MethodOptions): Promise<BenchmarkFit>;
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
