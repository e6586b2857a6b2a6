/** Shapes of arrays in files. */
import { InputError } from "../errors.ts";

export const isShape = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((dimension) => Number.isSafeInteger(dimension) && dimension >= 0);

/** The number of elements. */
export const sizeOf = (shape: readonly number[]): number => shape.reduce((size, dimension) => size * dimension, 1);

/** `what` is what the message calls the values. */
export function expectShape(values: ArrayLike<unknown>, shape: readonly number[], what: string): void {
  if (!isShape(shape) || sizeOf(shape) !== values.length)
    throw new InputError(`${what}: ${values.length} values do not fill the shape [${shape.join(", ")}]`);
}
