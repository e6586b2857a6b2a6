/**
 * Protobuf messages field by field, as they lie in their bytes: what takes a model of somebody else's apart, and puts
 * it together again, need not understand all of it, and copies no weights.
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

/** The tag and the length that precede a text or a message of so many bytes. */
export function delimitedHead(id: number, length: number): Uint8Array {
  return protobuf.Writer.create()
    .uint32((id << 3) | delimited)
    .uint32(length)
    .finish();
}

/** A field whose value is a text or a message. */
export const delimitedField = (id: number, content: Uint8Array): Uint8Array =>
  joinBytes([delimitedHead(id, content.length), content]);

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export const textOf = ({ content }: WireField): string => new TextDecoder().decode(content);

/** The last text of this number, as protobuf reads it, or "". */
export function textAt(message: Uint8Array, id: number): string {
  let text = "";
  for (const field of fieldsOf(message)) if (field.id === id) text = textOf(field);
  return text;
}
