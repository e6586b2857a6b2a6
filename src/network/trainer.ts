/** Runs a training program step by step and holds its state. */

import { elementCount, expectFloats } from "../engine/program.ts";
import { Queue } from "../engine/queue.ts";
import { alone, type Collective, type SharedOptions } from "../engine/ranks/collective.ts";
import { type Results, Session } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import type { Optimizer } from "./optimizer.ts";
import { initialValues } from "./parameters.ts";
import type { TrainingProgram } from "./programs.ts";

/** Everything a trainer needs to continue exactly where another stopped. */
export interface TrainerState {
  readonly step: number;
  /** The parameters, the running statistics and the optimizer's vectors, by name. */
  readonly vectors: Readonly<Record<string, Float32Array>>;
}

/** Of ranks that share the work, each takes the parts of a step that are its own. */
export interface TrainerOptions extends SharedOptions {
  readonly optimizer: Optimizer;
  /** The seed of the initial values. Default: 0. */
  readonly seed?: number;
}

/** The feeds of a step, by the names of the program's inputs. */
export type Batch = Readonly<Record<string, Float32Array>>;

export class Trainer {
  readonly program: TrainingProgram;
  readonly #session: Session;
  /** Where steps come in parts. */
  readonly #sums: SumOfParts | undefined;
  readonly #optimizer: Optimizer;
  readonly #collective: Collective;
  readonly #queue = new Queue();
  #step = 0;

  private constructor(
    program: TrainingProgram,
    session: Session,
    sums: SumOfParts | undefined,
    { optimizer, collective = alone }: TrainerOptions,
  ) {
    this.program = program;
    this.#session = session;
    this.#sums = sums;
    this.#optimizer = optimizer;
    this.#collective = collective;
  }

  static async open(program: TrainingProgram, options: TrainerOptions): Promise<Trainer> {
    const { optimizer: _, seed = 0, collective, ...sessionOptions } = options;
    const parameters = initialValues(program.parameters, seed);
    const sums = await SumOfParts.open(program, {
      ...sessionOptions,
      ...(collective === undefined ? {} : { collective }),
    });
    const trainer = new Trainer(program, await Session.open(program, sessionOptions), sums, options);
    trainer.#session.setState("parameters", parameters);
    if (program.statistics.length > 0) trainer.#session.setState("statistics", initialValues(program.statistics, seed));
    return trainer;
  }

  /** One step on a batch; `rateScale` multiplies the learning rate. Returns the loss before the update. */
  async step(batch: Batch, rateScale = 1): Promise<number> {
    return expectFloats((await this.advance([batch], rateScale)).loss)[0];
  }

  /**
   * The same on the parts of a batch, those of this rank, each of which is taken when the one before is done with: they
   * may share their arrays. Returns all outputs, in buffers that the next step overwrites.
   */
  advance(parts: Iterable<Batch>, rateScale = 1): Promise<Results> {
    return this.#queue.run(() => this.#run(parts, rateScale));
  }

  async #run(parts: Iterable<Batch>, rateScale: number): Promise<Results> {
    const batch = this.#sums === undefined ? onlyPart(parts) : await this.#sums.of(parts, this.parameters);
    const results = await this.#session.run({ ...batch, ...this.#optimizer.feeds(this.#step + 1, rateScale) });
    this.#step++;
    const loss = expectFloats(results.loss)[0];
    if (!Number.isFinite(loss))
      throw new InputError(
        `the loss became ${loss} at step ${this.#step}: the images hold values that are not finite, or the learning rate is too high`,
      );
    return results;
  }

  /** The parameters, in the program's order; `parameterView` finds one by name. A view that the next step changes. */
  get parameters(): Float32Array {
    return expectFloats(this.#session.state("parameters"));
  }

  /** The running mean and variance of each batch normalization. A view that the next step changes. */
  get statistics(): Float32Array {
    return this.program.statistics.length === 0 ? new Float32Array(0) : expectFloats(this.#session.state("statistics"));
  }

  /** Throws if the last step has broken the network, which its loss, computed before the update, cannot show. */
  expectFinite(): void {
    if (this.parameters.every(Number.isFinite) && this.statistics.every(Number.isFinite)) return;
    throw new InputError(`the weights are no longer finite after step ${this.#step}: lower the learning rate`);
  }

  /** Gives all ranks the state of rank 0: on different processors they may differ in the last bits. */
  align(): void {
    for (const name of Object.keys(this.program.states))
      this.#collective.broadcast(expectFloats(this.#session.state(name)));
  }

  /** The number of steps taken. */
  get steps(): number {
    return this.#step;
  }

  /** A copy of the complete state. */
  save(): TrainerState {
    const names = Object.keys(this.program.states);
    const vectors = Object.fromEntries(names.map((name) => [name, expectFloats(this.#session.state(name)).slice()]));
    return { step: this.#step, vectors };
  }

  restore({ step, vectors }: TrainerState): void {
    const missing = Object.keys(this.program.states).find((name) => vectors[name] === undefined);
    if (missing !== undefined)
      throw new InputError(`the saved state lacks "${missing}": it belongs to another optimizer`);
    for (const name of Object.keys(this.program.states)) this.#session.setState(name, vectors[name]);
    this.#step = step;
  }

  async close(): Promise<void> {
    await this.#session.close();
    await this.#sums?.close();
  }
}

function onlyPart(parts: Iterable<Batch>): Batch {
  const [batch, ...others] = parts;
  if (others.length > 0) throw new Error("the program takes a batch whole");
  return batch;
}

/** What the parts of a step give, added up over all parts of all ranks. */
class SumOfParts {
  readonly #session: Session;
  readonly #collective: Collective;
  readonly #sums: Float32Array;

  private constructor(session: Session, size: number, collective: Collective) {
    this.#session = session;
    this.#sums = new Float32Array(size);
    this.#collective = collective;
  }

  static async open(
    { gradients }: TrainingProgram,
    { collective = alone, ...options }: SharedOptions,
  ): Promise<SumOfParts | undefined> {
    if (gradients === undefined) return undefined;
    const size = elementCount(gradients.outputs.sums.shape);
    return new SumOfParts(await Session.open(gradients, options), size, collective);
  }

  async of(parts: Iterable<Batch>, parameters: Float32Array): Promise<Batch> {
    const sums = this.#sums;
    sums.fill(0);
    for (const part of parts) {
      const more = expectFloats((await this.#session.run({ ...part, parameters })).sums);
      for (let place = 0; place < sums.length; place++) sums[place] += more[place];
    }
    this.#collective.sum(sums);
    return { sums };
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
