/** The two passes of resampling, rows and then columns, four or eight numbers at once. */
import {
  type Assembled,
  add,
  advance,
  assemble,
  isBelow,
  loopWhile,
  type Routine,
  read,
  repeat,
  vector,
  whole,
} from "../numeric/web-assembly.ts";

/** Weights are whole numbers in units of 2^-22, as Pillow's are. */
export const fractionBits = 22;
const half = vector.of(whole(1 << (fractionBits - 1)));

/** What each place of an axis is made of: of as many sources as all others, some of which may have no weight. */
export interface Kernels {
  /** The first source of each place, in ascending order. */
  readonly first: Int32Array;
  /** `taps` for each place. */
  readonly weights: Int32Array;
  readonly taps: number;
}

/** Rows of RGB, a pixel of which is one vector, to their new width, channel by channel. Offsets are in bytes. */
const rows: Routine = {
  parameters: 9,
  integers: 5,
  vectors: 1,
  write: ([source, rowLength, rowCount, offsets, weights, taps, width, target, plane], variables, [sum]) => {
    const [place, column, from, tap, end] = variables;
    const [red, green] = [target.get, add(target.get, plane.get)];
    return repeat(
      rowCount,
      [...column.set(width.get), ...place.set(offsets.get), ...tap.set(weights.get)],
      repeat(
        column,
        [...from.set(add(source.get, read(place.get))), ...end.set(add(tap.get, taps.get)), ...sum.set(half)],
        loopWhile(
          isBelow(tap.get, end.get),
          sum.set(vector.add(sum.get, vector.multiply(vector.readFour(from.get), vector.readToAll(tap.get)))),
          advance(from, whole(3)),
          advance(tap, whole(4)),
        ),
        sum.set(vector.shiftRight(sum.get, fractionBits)),
        sum.set(vector.toBytes(sum.get, sum.get)),
        vector.writeByte(red, sum.get, 0),
        vector.writeByte(green, sum.get, 1),
        vector.writeByte(add(green, plane.get), sum.get, 2),
        advance(target, whole(1)),
        advance(place, whole(4)),
      ),
      advance(source, rowLength.get),
    );
  },
};

/** Lines of one channel to fewer or more lines. The last eight of a line may overlap the next one, which comes after. */
const columns: Routine = {
  parameters: 7,
  integers: 4,
  vectors: 4,
  write: ([source, offsets, weights, taps, lineCount, target, width], variables, [low, high, eight, weight]) => {
    const [column, from, tap, end] = variables;
    const weighed = (four: readonly number[]) => vector.multiply(four, weight.get);
    return repeat(
      lineCount,
      [...end.set(add(weights.get, taps.get)), ...column.set(whole(0))],
      loopWhile(
        isBelow(column.get, width.get),
        from.set(add(add(source.get, read(offsets.get)), column.get)),
        [...tap.set(weights.get), ...low.set(half), ...high.set(half)],
        loopWhile(
          isBelow(tap.get, end.get),
          [...eight.set(vector.readEight(from.get)), ...weight.set(vector.readToAll(tap.get))],
          low.set(vector.add(low.get, weighed(vector.lowHalf(eight.get)))),
          high.set(vector.add(high.get, weighed(vector.highHalf(eight.get)))),
          advance(from, width.get),
          advance(tap, whole(4)),
        ),
        low.set(vector.shiftRight(low.get, fractionBits)),
        high.set(vector.shiftRight(high.get, fractionBits)),
        vector.writeEight(add(target.get, column.get), vector.toBytes(low.get, high.get)),
        advance(column, whole(8)),
      ),
      advance(target, width.get),
      advance(offsets, whole(4)),
      weights.set(end.get),
    );
  },
};

let passes: Assembled<"rows" | "columns"> | undefined;

/** Source rows are brought to the routines' memory in pieces of about so many bytes. */
const pieceBytes = 2 ** 20;

interface Rows {
  /** RGB, pixel by pixel. */
  readonly data: Uint8Array;
  readonly width: number;
}

/** Channel by channel: as many columns and rows as there are places. */
export function resizePasses({ data, width }: Rows, across: Kernels, down: Kernels): Uint8Array {
  passes ??= assemble({ rows, columns });
  const { memory } = passes;
  const [columnCount, rowCount] = [across.first.length, down.first.length];
  const [top, bottom] = [down.first[0], down.first[rowCount - 1] + down.taps];
  const rowLength = 3 * width;
  const rowsAtOnce = Math.min(bottom - top, Math.ceil(pieceBytes / rowLength));
  const [plane, resizedPlane] = [(bottom - top) * columnCount, rowCount * columnCount];
  const [acrossOffsets, acrossWeights, downOffsets, downWeights, piece, lines, resized, end] = layout(
    ...[across.first, across.weights, down.first, down.weights].map(({ byteLength }) => byteLength),
    ...[rowsAtOnce * rowLength, 3 * plane, 3 * resizedPlane],
  );
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 2 ** 16));

  const bytes = new Uint8Array(memory.buffer);
  const write = (numbers: Int32Array, place: number) => new Int32Array(memory.buffer, place).set(numbers);
  write(
    across.first.map((column) => 3 * column),
    acrossOffsets,
  );
  write(across.weights, acrossWeights);
  write(
    down.first.map((row) => (row - top) * columnCount),
    downOffsets,
  );
  write(down.weights, downWeights);
  for (let row = top; row < bottom; row += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, bottom - row);
    bytes.set(data.subarray(row * rowLength, (row + count) * rowLength), piece);
    const target = lines + (row - top) * columnCount;
    passes.rows(piece, rowLength, count, acrossOffsets, acrossWeights, 4 * across.taps, columnCount, target, plane);
  }
  for (let channel = 0; channel < 3; channel++) {
    const [source, target] = [lines + channel * plane, resized + channel * resizedPlane];
    passes.columns(source, downOffsets, downWeights, 4 * down.taps, rowCount, target, columnCount);
  }
  return bytes.slice(resized, resized + 3 * resizedPlane);
}

/** Where each of so many bytes begins, and where the last one ends. A vector may reach a little beyond. */
function layout(...sizes: number[]): number[] {
  const places = [0];
  for (const size of sizes) places.push(16 * Math.ceil((places[places.length - 1] + size + 8) / 16));
  return places;
}
