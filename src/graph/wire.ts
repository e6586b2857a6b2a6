/**
 * Protobuf messages field by field, as they lie in their bytes: what takes a model of somebody else's apart, and puts
 * it together again, need not understand all of it.
 */
import protobuf from "protobufjs/light.js";

export interface WireField {
  readonly id: number;
  /** Tag and value, as they are. */
  readonly whole: Uint8Array;
  /** The value of a text, of bytes or of a message; empty for a number. */
  readonly content: Uint8Array;
  /** The value of a whole number that is not negative; 0 for all else. */
  readonly number: number;
}

const [varint, delimited] = [0, 2];

/** The fields of a message in their order; throws where the bytes are no message. */
export function* fieldsOf(message: Uint8Array): Generator<WireField> {
  const reader = protobuf.Reader.create(message);
  while (reader.pos < message.length) {
    const start = reader.pos;
    const tag = reader.uint32();
    const kind = tag & 7;
    let from = 0;
    let number = 0;
    if (kind === delimited) {
      const length = reader.uint32();
      from = reader.pos;
      reader.skip(length);
    } else if (kind === varint) number = Number(reader.uint64());
    else reader.skipType(kind);
    const content = from === 0 ? message.subarray(0, 0) : message.subarray(from, reader.pos);
    yield { id: tag >>> 3, whole: message.subarray(start, reader.pos), content, number };
  }
}

/** A message or a field in pieces, which are put together once, at the end: weights may be gigabytes. */
export type Pieces = readonly Uint8Array[];

/** A field whose value is a text or a message. */
export function delimitedField(id: number, content: Pieces): Pieces {
  const head = protobuf.Writer.create()
    .uint32((id << 3) | delimited)
    .uint32(lengthOf(content))
    .finish();
  return [head, ...content];
}

export const textField = (id: number, text: string): Pieces => delimitedField(id, [new TextEncoder().encode(text)]);

export function joinPieces(pieces: Pieces): Uint8Array {
  const whole = new Uint8Array(lengthOf(pieces));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

const lengthOf = (pieces: Pieces): number => pieces.reduce((total, { length }) => total + length, 0);

export const textOf = ({ content }: WireField): string => new TextDecoder().decode(content);

/** The last text of this number, as protobuf reads it, or "". */
export function textAt(message: Uint8Array, id: number): string {
  let text = "";
  for (const field of fieldsOf(message)) if (field.id === id) text = textOf(field);
  return text;
}
