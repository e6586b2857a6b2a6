/** The lines of `decisions.jsonl`: a heading that says which assignments the decisions are about, then one a decision. */
import { DamagedFileError } from "../../files/errors.ts";
import { isDecision } from "./check-decision.ts";
import type { Decision } from "./decision.ts";
import { UndoStack } from "./undo-stack.ts";

export interface LogContent {
  /** SHA-256 of the assignments, in hexadecimal. */
  readonly assignments: string;
  readonly decisions: readonly Decision[];
  /** What undo and redo would do. */
  readonly stack: UndoStack;
  /** Bytes of whole lines; what follows was being written when the process was killed. */
  readonly length: number;
}

const format = 1;

export const headingLine = (assignments: string): string =>
  `${JSON.stringify({ boostcluster: "decisions", format, assignments })}\n`;

export const decisionLine = (decision: Decision): string => `${JSON.stringify(decision)}\n`;

/** Undefined where not even the heading is whole. Throws where a line says what no line can say. */
export function parseLog(path: string, bytes: Buffer): LogContent | undefined {
  const length = bytes.lastIndexOf("\n") + 1;
  if (length === 0) return undefined;
  const [heading, ...lines] = bytes.toString("utf8", 0, length - 1).split("\n");
  const assignments = parseHeading(path, heading);
  const stack = new UndoStack();
  const decisions = lines.map((line, index): Decision => {
    const decision = parseLine(line);
    if (!isDecision(decision) || decision.number !== index + 1 || !stack.push(decision))
      throw new DamagedFileError(
        `${path}: line ${index + 2} is damaged; delete it and what follows, or restore the file from a copy`,
      );
    return decision;
  });
  return { assignments, decisions, stack, length };
}

function parseHeading(path: string, line: string): string {
  const heading = parseLine(line);
  if (
    typeof heading !== "object" ||
    heading === null ||
    !("boostcluster" in heading && "format" in heading && "assignments" in heading) ||
    heading.boostcluster !== "decisions" ||
    typeof heading.assignments !== "string"
  )
    throw new DamagedFileError(`${path}: line 1 is not the heading of decisions; restore the file from a copy`);
  if (heading.format !== format)
    throw new DamagedFileError(`${path}: its format is ${String(heading.format)}, not ${format}; update boostcluster`);
  return heading.assignments;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
