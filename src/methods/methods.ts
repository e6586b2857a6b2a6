/** The paper's nine systems, in the order of its tables. */
import { aec } from "./baselines/aec.ts";
import { daeKms } from "./baselines/dae-kms.ts";
import { dcn } from "./baselines/dcn.ts";
import { dec } from "./baselines/dec.ts";
import { den } from "./baselines/den.ts";
import { fcaeKms } from "./baselines/fcae-kms.ts";
import { iec } from "./baselines/iec.ts";
import { kms } from "./baselines/kms.ts";
import { dbc } from "./dbc/dbc.ts";

export const methodNames = ["kms", "dae-kms", "aec", "iec", "dec", "den", "dcn", "fcae-kms", "dbc"] as const;
export type MethodName = (typeof methodNames)[number];

export const methods = {
  kms,
  "dae-kms": daeKms,
  aec,
  iec,
  dec,
  den,
  dcn,
  "fcae-kms": fcaeKms,
  dbc,
} as const satisfies Record<MethodName, unknown>;
