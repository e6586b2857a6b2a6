/** Runs a program over a matrix, a block of rows at a time. */
import type { Program } from "../engine/program.ts";
import { type Feeds, type Results, Session, type SessionOptions } from "../engine/session.ts";
import type { Matrix } from "../numeric/matrix.ts";

/** The most rows of a block: a program's results for them stay in the processor's cache. */
const largestBlock = 4096;

/** A block of rows; those before `fresh` were already part of the previous block. */
export interface RowBlock {
  readonly start: number;
  readonly fresh: number;
  readonly end: number;
}

export class BlockRunner {
  readonly samples: Matrix;
  /** The rows of every block: the last one overlaps the one before so as not to be shorter. */
  readonly blockRows: number;
  readonly #options: SessionOptions;
  /** The last program of each use. */
  readonly #compiled = new Map<string, { readonly key: string; readonly session: Session }>();

  constructor(samples: Matrix, options: SessionOptions) {
    this.samples = samples;
    this.blockRows = Math.min(samples.rows, largestBlock);
    this.#options = options;
  }

  /**
   * Feeds each block of rows as `samples`, together with its `feeds`. The program for a `use` is compiled anew only
   * when its `key` changes. `take` must copy what it keeps.
   */
  async run(
    { use, key, program }: { readonly use: string; readonly key: string; readonly program: () => Program },
    feeds: (block: RowBlock) => Feeds,
    take: (block: RowBlock, results: Results) => void,
  ): Promise<void> {
    const session = await this.#session(use, key, program);
    const { values, columns } = this.samples;
    for (const block of this.blocks()) {
      const samples = values.subarray(block.start * columns, block.end * columns);
      take(block, await session.run({ samples, ...feeds(block) }));
    }
  }

  async #session(use: string, key: string, program: () => Program): Promise<Session> {
    const last = this.#compiled.get(use);
    if (last?.key === key) return last.session;
    await last?.session.close();
    this.#compiled.delete(use);
    const session = await Session.open(program(), this.#options);
    this.#compiled.set(use, { key, session });
    return session;
  }

  *blocks(): Generator<RowBlock> {
    const { rows } = this.samples;
    for (let fresh = 0; fresh < rows; fresh += this.blockRows) {
      const end = Math.min(fresh + this.blockRows, rows);
      yield { start: end - this.blockRows, fresh, end };
    }
  }

  async close(): Promise<void> {
    for (const { session } of this.#compiled.values()) await session.close();
  }
}
