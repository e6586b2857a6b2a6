/** What the command line offers. */
import type { Collective } from "../engine/ranks/collective.ts";
import type { OptionSpecs } from "./options.ts";

export interface CommandContext {
  /** Results. */
  readonly print: (text: string) => void;
  /** Everything else: progress, warnings. */
  readonly say: (text: string) => void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The processes that run this command together; this one alone, but for commands that several can share. */
  readonly collective: Collective;
}

export interface Command {
  readonly name: string;
  /** What comes after the name, as in `cluster <folder|file|name> -k N`. */
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly options: OptionSpecs;
  /** Whether it looks at the signal; what does not is simply ended by Ctrl-C. */
  readonly interruptible: boolean;
  /** Whether several ranks, started by mpirun, share its work. Default: no. */
  readonly sharedByRanks?: boolean;
  readonly run: (args: readonly string[], context: CommandContext) => Promise<void>;
}
