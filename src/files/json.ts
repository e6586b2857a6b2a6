/** JSON files that say which format they have. */
import { readFileSync } from "node:fs";
import { writeFileAtomically } from "./atomic.ts";
import { fileError, InputError } from "./errors.ts";

export interface Formatted {
  readonly format: string;
}

export const writeJson = (path: string, value: object): void =>
  writeFileAtomically(path, `${JSON.stringify(value, undefined, 2)}\n`);

/** Throws where the file is not JSON or not of one of these formats; `advice` says what to do then. */
export function readJson<Content extends Formatted>(path: string, formats: readonly string[], advice: string): Content {
  const content = parse<Content>(path, advice);
  if (!formats.includes(content.format))
    throw new InputError(`${path}: its format is "${content.format}", not "${formats.join('" or "')}"; ${advice}`);
  return content;
}

/** The format, which is checked next, says what is in it. */
function parse<Content extends Formatted>(path: string, advice: string): Content {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw fileError("read", path, error);
  }
  try {
    return JSON.parse(text) ?? { format: "none" };
  } catch {
    throw new InputError(`${path}: this is not JSON; ${advice}`);
  }
}
