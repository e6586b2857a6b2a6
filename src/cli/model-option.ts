/** `--model`, which commands have that show runs as people have decided. */
import type { OptionSpecs } from "./options.ts";

export const modelOption = {
  model: { kind: "flag", help: "The model's own clusters, as if nobody had decided anything." },
} as const satisfies OptionSpecs;
