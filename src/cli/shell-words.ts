/** The library names its own options and functions; in the shell they are flags and commands. */
import { flagFor } from "./method-options.ts";
import { kebabCase, type OptionSpecs } from "./options.ts";

/** A message about an option, with the command's flag for it, if there is one. */
export function inShellWords(message: string, option: string | undefined, specs: OptionSpecs): string {
  if (option === undefined) return adviceInShellWords(message);
  const flag = flagFor(option) ?? kebabCase(option);
  return flag in specs && !message.includes(`--${flag}`) ? `${message} (--${flag})` : message;
}

/** What to call, as what to run. */
export const adviceInShellWords = (message: string): string =>
  message.replace(/call fetchNamedSet\("([^"]+)"\)/, 'run "boostcluster data --fetch $1"');
