/** A program compiled and run by ONNX Runtime. */
import { availableParallelism, cpus } from "node:os";
import type { InferenceSession, Tensor, TensorConstructor } from "onnxruntime-node";
import { InputError } from "../files/errors.ts";
import { type Device, expectDevice } from "./device.ts";
import { allocate, type ElementArray, elementCount, formatShape, type Program, type ValueSpec } from "./program.ts";
import { startedRanks } from "./ranks/started-ranks.ts";
import { loadRuntime } from "./runtime.ts";

/** As many as there are cores; ranks on one machine share them, unless mpirun has bound each to some. */
export function defaultThreads(): number {
  const { localSize } = startedRanks();
  const allowed = availableParallelism();
  return allowed < cpus().length ? allowed : Math.max(1, Math.floor(allowed / localSize));
}

export interface SessionOptions {
  /** Threads of one operator. Default: all cores, shared among the ranks of a machine. Results may differ in the last bits between thread counts. */
  readonly threads?: number;
  /** Where to run. Default: "cpu". */
  readonly device?: Device;
  /**
   * "all" also brings maps to the runtime's own layout, which is fastest for models of others. Our programs have their
   * layout already, and would be reordered to and fro. Default: "extended".
   */
  readonly optimization?: "extended" | "all";
  /**
   * Whether threads that wait for their part of the work keep their core busy. It saves a little time where a program
   * has the machine to itself, and costs much where images are decoded beside it. Default: true.
   */
  readonly spinning?: boolean;
  /** Write a profile of every node (ONNX Runtime's JSON, for chrome://tracing) to a file that begins so. */
  readonly profile?: string;
}

/** Those alone, where a method has more options. */
export const sessionOptions = ({ threads, device }: SessionOptions): SessionOptions => ({
  ...(threads === undefined ? {} : { threads }),
  ...(device === undefined ? {} : { device }),
});

export type Feeds = Readonly<Record<string, ElementArray>>;
export type Results = Readonly<Record<string, ElementArray>>;

/** Two buffers that take turns: what a run writes, the next one reads. */
interface StateBuffers {
  current: Tensor;
  next: Tensor;
}

export class Session {
  readonly #session: InferenceSession;
  readonly #Tensor: TensorConstructor;
  readonly #program: Program;
  readonly #profiling: boolean;
  readonly #states = new Map<string, StateBuffers>();
  /** Outputs of fixed shape, reused by every run. */
  readonly #outputs = new Map<string, Tensor>();
  #running = false;

  private constructor(session: InferenceSession, Tensor: TensorConstructor, program: Program, profiling: boolean) {
    this.#session = session;
    this.#Tensor = Tensor;
    this.#program = program;
    this.#profiling = profiling;
    for (const name of Object.keys(program.states)) {
      const spec = program.inputs[name];
      this.#states.set(name, { current: fixedTensor(Tensor, spec), next: fixedTensor(Tensor, spec) });
    }
    const stateOutputs = Object.values(program.states);
    for (const [name, spec] of Object.entries(program.outputs))
      if (!stateOutputs.includes(name) && isFixed(spec)) this.#outputs.set(name, fixedTensor(Tensor, spec));
  }

  static async open(program: Program, options: SessionOptions = {}): Promise<Session> {
    const { threads = defaultThreads(), device = "cpu", optimization = "extended", spinning = true, profile } = options;
    if (!Number.isInteger(threads) || threads < 1)
      throw new InputError(`threads must be a whole number from 1, not ${threads}`);
    await expectDevice(device);
    const { InferenceSession, Tensor } = await loadRuntime();
    const settings: InferenceSession.SessionOptions = {
      executionProviders: device === "cpu" ? ["cpu"] : [device, "cpu"],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: optimization,
      logSeverityLevel: 3,
      // Values below 1e-38 mean nothing here, and a processor computes with them a hundred times slower.
      extra: { session: { set_denormal_as_zero: "1", intra_op: { allow_spinning: spinning ? "1" : "0" } } },
      ...(profile === undefined ? {} : { enableProfiling: true, profileFilePrefix: profile }),
    };
    try {
      const session = await InferenceSession.create(program.model, settings);
      return new Session(session, Tensor, program, profile !== undefined);
    } catch (error) {
      if (device === "cpu") throw error;
      throw new InputError(`device "${device}" does not start: ${oneLine(error)}; try device "cpu"`, {
        cause: error,
        option: "device",
      });
    }
  }

  /**
   * Runs the program once; a run must end before the next one begins. Feed every input that is not a state. The arrays
   * that come back are reused: the next run overwrites those of fixed shape, so copy what must last.
   */
  async run(feeds: Feeds): Promise<Results> {
    if (this.#running) throw new Error("a session runs once at a time: await the run before");
    this.#running = true;
    try {
      return await this.#run(feeds);
    } finally {
      this.#running = false;
    }
  }

  async #run(feeds: Feeds): Promise<Results> {
    const { inputs, states } = this.#program;
    const unknown = Object.keys(feeds).find((name) => inputs[name] === undefined || states[name] !== undefined);
    if (unknown !== undefined)
      throw new InputError(`the program has no input "${unknown}"; it takes: ${this.#feedNames().join(", ")}`);
    const given: Record<string, Tensor> = {};
    for (const name of this.#feedNames()) given[name] = feedTensor(this.#Tensor, name, inputs[name], feeds[name]);
    const wanted: Record<string, Tensor | null> = {};
    for (const name of Object.keys(this.#program.outputs)) wanted[name] = this.#outputs.get(name) ?? null;
    for (const [name, buffers] of this.#states) {
      given[name] = buffers.current;
      wanted[states[name]] = buffers.next;
    }
    const results = await this.#session.run(given, wanted);
    for (const buffers of this.#states.values()) [buffers.current, buffers.next] = [buffers.next, buffers.current];
    return Object.fromEntries(this.#resultNames().map((name) => [name, elementsOf(results[name])]));
  }

  /** The present value of a state. It lives in the session's buffer: copy it to keep it, `setState` to change it. */
  state(name: string): ElementArray {
    return elementsOf(this.#buffers(name).current);
  }

  setState(name: string, values: ElementArray): void {
    const target = elementsOf(this.#buffers(name).current);
    if (target.length !== values.length)
      throw new InputError(`state "${name}" has ${target.length} values, not ${values.length}`);
    copyInto(target, values);
  }

  /** Frees the runtime's memory. */
  async close(): Promise<void> {
    if (this.#profiling) this.#session.endProfiling();
    await this.#session.release();
  }

  #buffers(name: string): StateBuffers {
    const buffers = this.#states.get(name);
    if (buffers === undefined)
      throw new InputError(`the program has no state "${name}"; it keeps: ${[...this.#states.keys()].join(", ")}`);
    return buffers;
  }

  #feedNames(): string[] {
    return Object.keys(this.#program.inputs).filter((name) => this.#program.states[name] === undefined);
  }

  #resultNames(): string[] {
    const stateOutputs = Object.values(this.#program.states);
    return Object.keys(this.#program.outputs).filter((name) => !stateOutputs.includes(name));
  }
}

const isFixed = ({ shape }: ValueSpec): boolean => shape.every((dimension) => typeof dimension === "number");

const fixedTensor = (Tensor: TensorConstructor, spec: ValueSpec): Tensor =>
  toTensor(Tensor, allocate(spec.type, elementCount(spec.shape)), spec, spec.shape.map(Number));

function feedTensor(
  Tensor: TensorConstructor,
  name: string,
  spec: ValueSpec,
  values: ElementArray | undefined,
): Tensor {
  if (values === undefined) throw new InputError(`input "${name}" ${formatShape(spec.shape)} was not given`);
  const expected = allocate(spec.type, 0);
  if (values.constructor !== expected.constructor)
    throw new InputError(
      `input "${name}" takes ${spec.type} in a ${expected.constructor.name}, not a ${values.constructor.name}`,
    );
  return toTensor(Tensor, values, spec, resolveShape(name, spec, values.length));
}

/** The shape with its one free dimension, if any, found from the number of values. */
function resolveShape(name: string, { shape }: ValueSpec, length: number): number[] {
  const fixed = elementCount(shape.filter((dimension) => typeof dimension === "number"));
  const free = shape.some((dimension) => typeof dimension === "string");
  if (free ? length % fixed !== 0 || length === 0 : length !== fixed)
    throw new InputError(`input "${name}" has shape ${formatShape(shape)}, which ${length} values do not fill`);
  return shape.map((dimension) => (typeof dimension === "string" ? length / fixed : dimension));
}

/** Wraps values without copying them. ONNX Runtime's constructor is typed one element type at a time. */
function toTensor(
  Tensor: TensorConstructor,
  values: ElementArray,
  { type }: ValueSpec,
  shape: readonly number[],
): Tensor {
  if (type === "bool" && values instanceof Uint8Array) return new Tensor("bool", values, shape);
  if (values instanceof Float32Array) return new Tensor("float32", values, shape);
  if (values instanceof Float64Array) return new Tensor("float64", values, shape);
  if (values instanceof BigInt64Array) return new Tensor("int64", values, shape);
  if (values instanceof Int32Array) return new Tensor("int32", values, shape);
  return new Tensor("uint8", values, shape);
}

function elementsOf({ data }: Tensor): ElementArray {
  if (
    data instanceof Float32Array ||
    data instanceof Float64Array ||
    data instanceof BigInt64Array ||
    data instanceof Int32Array ||
    data instanceof Uint8Array
  )
    return data;
  throw new Error(`ONNX Runtime returned values of a type that no program declares: ${typeof data}`);
}

function copyInto(target: ElementArray, values: ElementArray): void {
  if (target instanceof BigInt64Array && values instanceof BigInt64Array) target.set(values);
  else if (!(target instanceof BigInt64Array) && !(values instanceof BigInt64Array)) target.set(values);
  else throw new InputError("int64 values go only into an int64 state");
}

const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split("\n")[0];
