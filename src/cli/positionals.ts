/** What stands on the command line without a name. */
import { InputError } from "../errors.ts";

/** The one that there must be. */
export function onlyPositional(positionals: readonly string[], rule: string): string {
  const [only] = positionals;
  if (only === undefined || positionals.length > 1) throw new InputError(`${rule}; --help has examples`);
  return only;
}
