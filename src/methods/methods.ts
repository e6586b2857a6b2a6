/** The paper's nine systems, in the order of its tables. */
import { aec } from "./aec.ts";
import { daeKms } from "./dae-kms.ts";
import { dbc } from "./dbc.ts";
import { dcn } from "./dcn.ts";
import { dec } from "./dec.ts";
import { den } from "./den.ts";
import { fcaeKms } from "./fcae-kms.ts";
import { iec } from "./iec.ts";
import { kms } from "./kms.ts";

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
} as const;

export type MethodName = keyof typeof methods;

export const methodNames: readonly MethodName[] = [
  "kms",
  "dae-kms",
  "aec",
  "iec",
  "dec",
  "den",
  "dcn",
  "fcae-kms",
  "dbc",
];
