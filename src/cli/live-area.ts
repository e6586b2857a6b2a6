/** The last lines of a terminal, drawn anew in place; what is printed meanwhile stays above them. */

/** What is needed of `process.stderr`. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** Node looks at NO_COLOR and the like. */
  hasColors?(): boolean;
}

export type Style = "good" | "active" | "faint" | "alarming";

export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** Of characters that take one column each. */
export type Line = readonly Span[];

/** Green, cyan, faint, yellow. */
const codes = { good: 32, active: 36, faint: 2, alarming: 33 } as const satisfies Record<Style, number>;

export class LiveArea {
  readonly #output: Output;
  #lines: readonly Line[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  /** Columns that a line may fill; in the last one, some terminals wrap. */
  get columns(): number {
    // A terminal may say that it has none.
    return Math.max(1, (this.#output.columns || 80) - 1);
  }

  /** Replaces what the area shows. */
  draw(lines: readonly Line[]): void {
    const up = this.#up();
    // A line that has left the screen cannot be drawn anew; the cursor's takes one.
    const visible = lines.slice(-Math.max(1, (this.#output.rows || 24) - 1));
    this.#lines = visible.map((line) => cut(line, this.columns));
    if (up !== "" || lines.length > 0) this.#output.write(`${up}${this.#painted()}\x1b[J`);
  }

  /** A line that stays; longer than the terminal is wide, it is wrapped. */
  print(line: Line): void {
    const up = this.#up();
    this.#output.write(`${up}${up === "" ? "" : "\x1b[J"}${this.#styled(line)}\n${this.#painted()}`);
  }

  clear(): void {
    this.draw([]);
  }

  /**
   * To where the area begins. The cursor rests on the line below it, so that whatever ends the process, the next thing
   * is written there. Terminals wrap lines that are too long after they were made narrower.
   */
  #up(): string {
    const columns = this.columns + 1;
    const rows = this.#lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
    return rows === 0 ? "" : `\r\x1b[${rows}A`;
  }

  #painted(): string {
    return this.#lines.map((line) => `${this.#styled(line)}\x1b[K\n`).join("");
  }

  #styled(line: Line): string {
    const colours = this.#output.hasColors?.() ?? false;
    return line
      .map(({ text, style }) => (style === undefined || !colours ? text : `\x1b[${codes[style]}m${text}\x1b[0m`))
      .join("");
  }
}

export const widthOf = (line: Line): number => line.reduce((sum, { text }) => sum + [...text].length, 0);

function cut(line: Line, columns: number): Line {
  let left = columns;
  return line.map((span) => {
    const text = [...span.text].slice(0, left).join("");
    left -= [...text].length;
    return { ...span, text };
  });
}
