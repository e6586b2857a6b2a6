/**
 * As much of an assembler for WebAssembly as loops over pixels and vectors need, for what JavaScript has no words for: one
 * instruction on four or eight numbers at once. Every part of an expression is the bytes that compute it.
 *
 * Numbers of instructions: https://webassembly.github.io/spec/core/binary/instructions.html
 */
export type Code = readonly number[];

/** A variable: a whole number of 32 bits, or a vector of 128. */
export interface Local {
  readonly get: Code;
  set(value: Code): Code;
}

const local = (index: number): Local => ({
  get: [0x20, index],
  set: (value) => [...value, 0x21, index],
});

export const whole = (value: number): Code => [0x41, ...signed(value)];
export const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
/** The whole number at an address. */
export const read = (address: Code): Code => [...address, 0x28, 2, 0];
/** Puts a whole number at an address. */
export const write = (address: Code, value: Code): Code => [...address, ...value, 0x36, 2, 0];
export const shiftLeft = (a: Code, bits: number): Code => [...a, ...whole(bits), 0x74];
export const isBelow = (a: Code, b: Code): Code => [...a, ...b, 0x49];
export const advance = (variable: Local, by: Code): Code => variable.set(add(variable.get, by));

/** At least once, and again as long as the condition holds after it. */
export const loopWhile = (condition: Code, ...body: readonly Code[]): Code => [
  ...[0x03, 0x40, ...body.flat(), ...condition],
  ...[0x0d, 0, 0x0b],
];

/** As often as the variable says, which must be at least once. */
export const repeat = (times: Local, ...body: readonly Code[]): Code =>
  loopWhile(times.get, ...body, advance(times, whole(-1)));

const lanes = (instruction: number, operands: readonly Code[], ...rest: number[]): Code => [
  ...operands.flat(),
  ...[0xfd, ...unsigned(instruction), ...rest],
];

/** Instructions on vectors, with the specification's names beside them. */
export const vector = {
  /** i32x4.splat */
  of: (value: Code) => lanes(0x11, [value]),
  /** v128.load32_splat: the whole number at an address, four times. */
  readToAll: (address: Code) => lanes(0x09, [address], 2, 0),
  /** v128.load32_zero and two extensions: the four bytes at an address as whole numbers. */
  readFour: (address: Code) => vector.lowHalf(lanes(0x89, [lanes(0x5c, [address], 0, 0)])),
  /** v128.load8x8_u: eight bytes as numbers of 16 bits. */
  readEight: (address: Code) => lanes(0x02, [address], 0, 0),
  /** i32x4.extend_low_i16x8_u */
  lowHalf: (eight: Code) => lanes(0xa9, [eight]),
  /** i32x4.extend_high_i16x8_u */
  highHalf: (eight: Code) => lanes(0xaa, [eight]),
  /** i32x4.add */
  add: (a: Code, b: Code) => lanes(0xae, [a, b]),
  /** i32x4.mul */
  multiply: (a: Code, b: Code) => lanes(0xb5, [a, b]),
  /** i32x4.shr_s */
  shiftRight: (a: Code, bits: number) => lanes(0xac, [a, whole(bits)]),
  /** i16x8.narrow_i32x4_s and i8x16.narrow_i16x8_u: eight bytes, cut off at 0 and 255, twice. */
  toBytes: (low: Code, high: Code) => lanes(0x66, [narrowed(low, high), narrowed(low, high)]),
  /** v128.store8_lane */
  writeByte: (address: Code, bytes: Code, lane: number) => lanes(0x58, [address, bytes], 0, 0, lane),
  /** v128.store64_lane */
  writeEight: (address: Code, bytes: Code) => lanes(0x5b, [address, bytes], 0, 0, 0),
};

const narrowed = (low: Code, high: Code): Code => lanes(0x85, [low, high]);

/** Instructions on floats of 32 bits, one of them or a vector of four. */
export const float = {
  /** f32.load */
  read: (address: Code): Code => [...address, 0x2a, 2, 0],
  /** f32.add */
  add: (a: Code, b: Code): Code => [...a, ...b, 0x92],
  /** f32.ge: 1 if it holds, else 0. */
  isAtLeast: (a: Code, b: Code): Code => [...a, ...b, 0x60],
  /** v128.load: the four at so many bytes behind an address. */
  readFour: (address: Code, offset: number) => lanes(0x00, [address], 2, ...unsigned(offset)),
  /** f32x4.add */
  addFours: (a: Code, b: Code) => lanes(0xe4, [a, b]),
  /** f32x4.mul */
  multiplyFours: (a: Code, b: Code) => lanes(0xe6, [a, b]),
  /** f32x4.extract_lane */
  lane: (four: Code, lane: number) => lanes(0x1f, [four], lane),
};

const integerType = 0x7f;
const vectorType = 0x7b;

/** A function of whole numbers that gives nothing back. */
export interface Routine {
  readonly parameters: number;
  /** Further variables. */
  readonly integers: number;
  readonly vectors: number;
  write(parameters: Local[], integers: Local[], vectors: Local[]): Code;
}

export type Assembled<Name extends string> = Readonly<Record<Name, (...values: readonly number[]) => void>> & {
  readonly memory: WebAssembly.Memory;
};

/** Compiles them, around one memory. */
export function assemble<Name extends string>(routines: Readonly<Record<Name, Routine>>): Assembled<Name> {
  const all: [string, Routine][] = Object.entries(routines);
  const exported = (name: string, kind: number, index: number): number[] => [
    ...list(Array.from(name, (letter) => [letter.charCodeAt(0)])),
    ...[kind, index],
  ];
  const module = new WebAssembly.Module(
    Uint8Array.of(
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(
        1,
        all.map(([, { parameters }]) => [0x60, ...list(Array(parameters).fill([integerType])), 0]),
      ),
      ...section(
        3,
        all.map((_, index) => [index]),
      ),
      ...section(5, [[0, 1]]),
      ...section(7, [exported("memory", 2, 0), ...all.map(([name], index) => exported(name, 0, index))]),
      ...section(
        10,
        all.map(([, routine]) => bodyOf(routine)),
      ),
    ),
  );
  return new WebAssembly.Instance<Assembled<Name>>(module).exports;
}

function bodyOf({ parameters, integers, vectors, write }: Routine): Code {
  const locals = Array.from({ length: parameters + integers + vectors }, (_, index) => local(index));
  const declared = list([
    [...unsigned(integers), integerType],
    [...unsigned(vectors), vectorType],
  ]);
  const firstVector = parameters + integers;
  const written = write(locals.slice(0, parameters), locals.slice(parameters, firstVector), locals.slice(firstVector));
  const code = [...declared, ...written, 0x0b];
  return [...unsigned(code.length), ...code];
}

function section(number: number, entries: readonly Code[]): Code {
  const content = list(entries);
  return [number, ...unsigned(content.length), ...content];
}

const list = (entries: readonly Code[]): Code => [...unsigned(entries.length), ...entries.flat()];

/** Seven bits per byte, the lowest first (LEB128). */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
