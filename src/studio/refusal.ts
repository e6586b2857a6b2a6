/** Why a request is not answered as it was meant. */

export type RefusalStatus = 400 | 403 | 404 | 409 | 413 | 415;

/** The message is one line, for the person at the page. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: RefusalStatus;

  constructor(status: RefusalStatus, message: string) {
    super(message);
    this.status = status;
  }
}

/** Not now: nothing is wrong with the request itself. */
export const notNow = (message: string): Refusal => new Refusal(409, message);

export const malformed = (message: string): Refusal => new Refusal(400, message);
