/** Operators that work on each element by itself, with broadcasting. */
import { broadcastShapes, expectShapes } from "../shape.ts";
import { differentiable, emit, floats, type Tensor } from "../tensor.ts";
import { unbroadcast } from "./broadcasting.ts";

type Operand = Tensor | number;

const operand = (x: Operand): Tensor => (typeof x === "number" ? floats(x) : x);

function binary(operator: string, a: Tensor, b: Tensor): Tensor {
  expectShapes(a.type === b.type, operator, [a.shape, b.shape], `have types ${a.type} and ${b.type}`);
  return emit(operator, [a, b], { type: a.type, shape: broadcastShapes(operator, a.shape, b.shape) });
}

function unary(operator: string, x: Tensor): Tensor {
  return emit(operator, [x], x);
}

export function add(left: Operand, right: Operand): Tensor {
  const [a, b] = [operand(left), operand(right)];
  return differentiable(binary("Add", a, b), [a, b], (dy) => [unbroadcast(dy, a), unbroadcast(dy, b)]);
}

export function subtract(left: Operand, right: Operand): Tensor {
  const [a, b] = [operand(left), operand(right)];
  return differentiable(binary("Sub", a, b), [a, b], (dy) => [unbroadcast(dy, a), unbroadcast(negate(dy), b)]);
}

export function multiply(left: Operand, right: Operand): Tensor {
  const [a, b] = [operand(left), operand(right)];
  return differentiable(binary("Mul", a, b), [a, b], (dy) => [
    unbroadcast(multiply(dy, b), a),
    unbroadcast(multiply(dy, a), b),
  ]);
}

export function divide(left: Operand, right: Operand): Tensor {
  const [a, b] = [operand(left), operand(right)];
  const y = binary("Div", a, b);
  return differentiable(y, [a, b], (dy) => {
    const da = divide(dy, b);
    return [unbroadcast(da, a), unbroadcast(negate(multiply(da, y)), b)];
  });
}

/** The larger of both; where they are equal the gradient goes to `left`. */
export function maximum(left: Operand, right: Operand): Tensor {
  const [a, b] = [operand(left), operand(right)];
  return differentiable(binary("Max", a, b), [a, b], (dy) => {
    const fromRight = asFloat(greater(b, a));
    return [unbroadcast(multiply(dy, subtract(1, fromRight)), a), unbroadcast(multiply(dy, fromRight), b)];
  });
}

/** x to a constant power. */
export function power(x: Tensor, exponent: number): Tensor {
  const y = emit("Pow", [x, floats(exponent)], x);
  return differentiable(y, [x], (dy) => [multiply(dy, multiply(exponent, power(x, exponent - 1)))]);
}

export function square(x: Tensor): Tensor {
  return differentiable(emit("Mul", [x, x], x), [x], (dy) => [multiply(dy, multiply(2, x))]);
}

export function negate(x: Tensor): Tensor {
  return differentiable(unary("Neg", x), [x], (dy) => [negate(dy)]);
}

export function logarithm(x: Tensor): Tensor {
  return differentiable(unary("Log", x), [x], (dy) => [divide(dy, x)]);
}

export function exponential(x: Tensor): Tensor {
  const y = unary("Exp", x);
  return differentiable(y, [x], (dy) => [multiply(dy, y)]);
}

export function squareRoot(x: Tensor): Tensor {
  const y = unary("Sqrt", x);
  return differentiable(y, [x], (dy) => [divide(dy, multiply(2, y))]);
}

export function relu(x: Tensor): Tensor {
  const y = unary("Relu", x);
  return differentiable(y, [x], (dy) => [multiply(dy, positiveMask(y))]);
}

export function leakyRelu(x: Tensor, slope: number): Tensor {
  const y = emit("LeakyRelu", [x], x, { attributes: { alpha: { float: slope } } });
  return differentiable(y, [x], (dy) => [multiply(dy, add(slope, multiply(1 - slope, positiveMask(x))))]);
}

export function tanh(x: Tensor): Tensor {
  const y = unary("Tanh", x);
  return differentiable(y, [x], (dy) => [multiply(dy, subtract(1, square(y)))]);
}

export function sigmoid(x: Tensor): Tensor {
  const y = unary("Sigmoid", x);
  return differentiable(y, [x], (dy) => [multiply(dy, multiply(y, subtract(1, y)))]);
}

/** 1 where x > 0, else 0. */
export function positiveMask(x: Tensor): Tensor {
  return steepRamp(x, 0);
}

/** 1 where x is zero, 0 where it is negative. */
export function stepMask(x: Tensor): Tensor {
  return steepRamp(x, 1);
}

/**
 * max(0, min(1, x·3e38 + offset)): so steep that no float32 other than zero lies on the ramp. It takes one pass over
 * memory, on all threads; a comparison and a cast to float take two, on a single thread.
 */
function steepRamp(x: Tensor, offset: number): Tensor {
  return emit("HardSigmoid", [x], x, { attributes: { alpha: { float: 3e38 }, beta: { float: offset } } });
}

export function greater(left: Operand, right: Operand): Tensor {
  const [a, b] = [operand(left), operand(right)];
  return emit("Greater", [a, b], { type: "bool", shape: broadcastShapes("Greater", a.shape, b.shape) });
}

export function equal(a: Tensor, b: Tensor): Tensor {
  return emit("Equal", [a, b], { type: "bool", shape: broadcastShapes("Equal", a.shape, b.shape) });
}

export function asFloat(x: Tensor): Tensor {
  return emit("Cast", [x], { type: "float32", shape: x.shape }, { attributes: { to: 1 } });
}

/** The same value, treated as a constant: no gradient flows through it. */
export function stopGradient(x: Tensor): Tensor {
  return differentiable(emit("Identity", [x], x), [x], () => [undefined]);
}
