/** A terminal for tests: what the characters that are written to it leave on its screen. */

/** What sequences begin with. */
const introducer = "\x1b[";

/** Understands what our display needs: \r, \n, cursor up, erase to the end of line or screen, colours. */
export class Terminal {
  readonly isTTY = true;
  columns: number;
  readonly rows: number;
  /** Columns of the widest line that there ever was. */
  widest = 0;
  /** Characters that were written in all. */
  written = 0;
  readonly #colours: boolean;
  #lines = [""];
  #row = 0;
  #column = 0;

  constructor({ columns = 80, rows = 24, colours = false } = {}) {
    this.columns = columns;
    this.rows = rows;
    this.#colours = colours;
  }

  hasColors(): boolean {
    return this.#colours;
  }

  write(text: string): void {
    this.written += text.length;
    const [start, ...sequences] = text.split(introducer);
    this.#type(start);
    for (const sequence of sequences) {
      const end = sequence.search(/[A-Za-z]/);
      this.#control(sequence[end], Number(sequence.slice(0, end) || 1));
      this.#type(sequence.slice(end + 1));
    }
  }

  /** All from the first line on, even what has scrolled away. */
  get lines(): readonly string[] {
    return this.#lines.map((line) => line.trimEnd());
  }

  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row, column: this.#column };
  }

  /** As most terminals do: lines that are too long now are wrapped, and the cursor stays at its text. */
  resize(columns: number): void {
    const below = this.#lines.length - this.#row;
    this.columns = columns;
    this.#lines = this.lines.flatMap((line) =>
      Array.from({ length: Math.max(1, Math.ceil(line.length / columns)) }, (_, piece) =>
        line.slice(piece * columns, (piece + 1) * columns),
      ),
    );
    this.#row = this.#lines.length - below;
  }

  #control(command: string, count: number): void {
    const top = Math.max(0, this.#lines.length - this.rows);
    if (command === "A") this.#row = Math.max(top, this.#row - count);
    else if (command === "K") this.#eraseLine();
    else if (command === "J") {
      this.#eraseLine();
      this.#lines.splice(this.#row + 1);
    } else if (command !== "m") throw new Error(`the tests' terminal does not know the sequence ${command}`);
  }

  #eraseLine(): void {
    this.#lines[this.#row] = this.#lines[this.#row].slice(0, this.#column);
  }

  #type(text: string): void {
    for (const character of text) {
      if (character === "\r") this.#column = 0;
      else if (character === "\n") this.#newline();
      else this.#put(character);
    }
  }

  #newline(): void {
    this.#row++;
    this.#column = 0;
    if (this.#row === this.#lines.length) this.#lines.push("");
  }

  #put(character: string): void {
    if (this.#column === this.columns) this.#newline();
    const line = this.#lines[this.#row].padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
    this.#column++;
    this.widest = Math.max(this.widest, this.#column);
  }
}
