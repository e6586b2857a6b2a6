/** What the engine runs: an ONNX model, and the names, types and shapes of what goes in and comes out. */

export type ElementType = "float32" | "float64" | "int64" | "int32" | "uint8" | "bool";

/** The typed array that holds values of each element type. */
export interface ElementArrays {
  float32: Float32Array;
  float64: Float64Array;
  int64: BigInt64Array;
  int32: Int32Array;
  uint8: Uint8Array;
  bool: Uint8Array;
}
export type ElementArray = ElementArrays[ElementType];

/** A size, or the name of a size that is free until the program runs (the batch of an exported model). */
export type Dimension = number | string;
export type Shape = readonly Dimension[];

export interface ValueSpec {
  readonly type: ElementType;
  readonly shape: Shape;
}

export interface Program {
  /** The encoded ONNX model. */
  readonly model: Uint8Array;
  readonly inputs: Readonly<Record<string, ValueSpec>>;
  readonly outputs: Readonly<Record<string, ValueSpec>>;
  /**
   * Inputs whose next value is an output of the same run, by name: input → output. The engine keeps them in its own
   * buffers and feeds each run with what the last one left.
   */
  readonly states: Readonly<Record<string, string>>;
}

export function formatShape(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

/** The number of elements; a free dimension has none, so the shape must be fixed. */
export function elementCount(shape: Shape): number {
  return shape.reduce<number>((count, dimension) => {
    if (typeof dimension === "string") throw new Error(`the size of ${formatShape(shape)} is free: "${dimension}"`);
    return count * dimension;
  }, 1);
}

export function allocate<T extends ElementType>(type: T, length: number): ElementArrays[T];
export function allocate(type: ElementType, length: number): ElementArray {
  switch (type) {
    case "float32":
      return new Float32Array(length);
    case "float64":
      return new Float64Array(length);
    case "int64":
      return new BigInt64Array(length);
    case "int32":
      return new Int32Array(length);
    case "uint8":
    case "bool":
      return new Uint8Array(length);
  }
}

/** Values that are known to be float32. */
export function expectFloats(values: ElementArray): Float32Array {
  if (!(values instanceof Float32Array)) throw new Error(`expected float32 values, not a ${values.constructor.name}`);
  return values;
}

/** Values that are known to be float64. */
export function expectDoubles(values: ElementArray): Float64Array {
  if (!(values instanceof Float64Array)) throw new Error(`expected float64 values, not a ${values.constructor.name}`);
  return values;
}

/** Values that are known to be int32. */
export function expectIntegers(values: ElementArray): Int32Array {
  if (!(values instanceof Int32Array)) throw new Error(`expected int32 values, not a ${values.constructor.name}`);
  return values;
}
