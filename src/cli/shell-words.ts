/** The library names its own options; in the shell they are flags. */
import { flagFor } from "./method-options.ts";
import { kebabCase, type OptionSpecs } from "./options.ts";

/** A message about an option, with the command's flag for it, if there is one. */
export function inShellWords(message: string, option: string | undefined, specs: OptionSpecs): string {
  if (option === undefined) return message;
  const flag = flagFor(option) ?? kebabCase(option);
  return flag in specs && !message.includes(`--${flag}`) ? `${message} (--${flag})` : message;
}
