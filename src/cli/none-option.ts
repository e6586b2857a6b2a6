/** `--none`: which images belong nowhere, for `cluster`. */
import type { NoneSetting } from "../clustering/belonging.ts";
import { InputError } from "../files/errors.ts";
import type { Settings } from "../runs/fitted.ts";
import type { OptionSpecs } from "./options.ts";

const usual = "auto";

export const noneOption = {
  none: {
    kind: "text",
    value: "off|auto|SHARE",
    help: "Images that belong nowhere: none, those that stick out, or the least belonging share, such as 0.05.",
    defaults: usual,
  },
} as const satisfies OptionSpecs;

export function noneSetting(text: string = usual): NoneSetting {
  if (text === "off" || text === "auto") return text;
  const share = Number(text);
  if (text.trim() === "" || !(share >= 0 && share < 1))
    throw new InputError(`--none takes off, auto, or a share from 0 to less than 1 such as 0.05, not "${text}"`);
  return share;
}

/** The words that give a run's setting, where it is not the default; runs of earlier versions have none. */
export const noneArguments = ({ none = usual }: Settings): string[] => (none === usual ? [] : ["--none", String(none)]);
