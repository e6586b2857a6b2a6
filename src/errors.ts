/**
 * Something the caller gave is wrong: a shape, a name, an option, a file.
 *
 * The message is one line, names what is wrong and says what to do. The command line prints it and exits with 2;
 * every other error is a fault of the program or of the machine.
 */
export class InputError extends Error {
  override readonly name = "InputError";
}

/** The user stopped the work. The message says what was kept. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}
