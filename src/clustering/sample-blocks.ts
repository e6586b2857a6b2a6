/** Runs a program over a matrix, a block of rows at a time. */
import type { Program } from "../engine/program.ts";
import { type Feeds, type Results, Session, type SessionOptions } from "../engine/session.ts";
import type { Matrix } from "../matrix.ts";

/** Rows a block: what a program computes for them stays in the processor's cache. */
const largestBlock = 4096;

/** A block of rows; those before `fresh` were part of the block before it. */
export interface Block {
  readonly start: number;
  readonly fresh: number;
  readonly end: number;
}

export class BlockRunner {
  readonly samples: Matrix;
  /** All blocks have this many rows: the last one reaches back so as not to be shorter. */
  readonly blockRows: number;
  readonly #options: SessionOptions;
  readonly #sessions = new Map<string, Promise<Session>>();

  constructor(samples: Matrix, options: SessionOptions) {
    this.samples = samples;
    this.blockRows = Math.min(samples.rows, largestBlock);
    this.#options = options;
  }

  /**
   * Feeds each block of rows as `samples`, with what `feeds` adds for it. The program is compiled once for each `key`.
   * `take` must copy what it keeps.
   */
  async run(
    key: string,
    program: () => Program,
    feeds: (block: Block) => Feeds,
    take: (block: Block, results: Results) => void,
  ): Promise<void> {
    let opening = this.#sessions.get(key);
    if (opening === undefined) {
      opening = Session.open(program(), this.#options);
      this.#sessions.set(key, opening);
    }
    const session = await opening;
    const { values, columns } = this.samples;
    for (const block of this.blocks()) {
      const samples = values.subarray(block.start * columns, block.end * columns);
      take(block, await session.run({ samples, ...feeds(block) }));
    }
  }

  *blocks(): Generator<Block> {
    const { rows } = this.samples;
    for (let fresh = 0; fresh < rows; fresh += this.blockRows) {
      const end = Math.min(fresh + this.blockRows, rows);
      yield { start: end - this.blockRows, fresh, end };
    }
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).close();
  }
}
