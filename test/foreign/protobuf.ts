// A minimal protobuf codec: varints, tagged fields and length-prefixed frames, written from the wire format specification.

/** The bytes are not a protobuf message, or not a frame. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** A varint is an unsigned 64-bit integer; a length-delimited field is bytes. */
export type Value = bigint | Uint8Array;

/** The values of a message by field number. A repeated field holds all its values in order. */
export type Fields = ReadonlyMap<number, readonly Value[]>;

const U64_LIMIT = 1n << 64n;

export function varint(value: bigint): Uint8Array {
  if (value < 0n || value >= U64_LIMIT) throw new ProtobufError(`${value} is not an unsigned 64-bit integer`);
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** Encodes a message. Omits fields whose value is undefined. Encodes negative integers as the two's complement of int64. */
export function message(...fields: readonly (readonly [number: number, value: Value | undefined])[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (value === undefined) continue;
    const isBytes = typeof value !== 'bigint';
    parts.push(varint((BigInt(number) << 3n) | (isBytes ? 2n : 0n)));
    if (isBytes) parts.push(varint(BigInt(value.length)), value);
    else parts.push(varint(BigInt.asUintN(64, value)));
  }
  return Buffer.concat(parts);
}

/** Returns undefined for zero: proto3 does not write a plain field that is zero. */
export const implicit = (value: bigint): bigint | undefined => (value === 0n ? undefined : value);

export function readFields(bytes: Uint8Array): Fields {
  const fields = new Map<number, Value[]>();
  let offset = 0;
  while (offset < bytes.length) {
    const tag = readVarint(bytes, offset);
    const number = Number(tag.value >> 3n);
    const field = readValue({ bytes, offset: tag.next, wireType: Number(tag.value & 7n) });
    if (number === 0) throw new ProtobufError('field number 0');
    fields.set(number, [...(fields.get(number) ?? []), field.value]);
    offset = field.next;
  }
  return fields;
}

/** Returns the last value of an integer field; undefined if the field is absent. */
export function integer(fields: Fields, number: number | undefined): bigint | undefined {
  const value = number === undefined ? undefined : fields.get(number)?.at(-1);
  if (value !== undefined && typeof value !== 'bigint') throw new ProtobufError(`field ${number} should be an integer`);
  return value;
}

/** Returns the last value of a bytes or message field; undefined if the field is absent. */
export function bytesOf(fields: Fields, number: number): Uint8Array | undefined {
  const value = fields.get(number)?.at(-1);
  if (typeof value === 'bigint') throw new ProtobufError(`field ${number} should be bytes`);
  return value;
}

export const frame = (payload: Uint8Array): Uint8Array => Buffer.concat([varint(BigInt(payload.length)), payload]);

/** Splits off the first frame: `framed` is its prefix and payload, `rest` the bytes after it. */
export function unframe(bytes: Uint8Array): { payload: Uint8Array; framed: Uint8Array; rest: Uint8Array } {
  const length = readVarint(bytes, 0);
  const end = length.next + Number(length.value);
  if (end > bytes.length) throw new ProtobufError(`a frame of ${length.value} bytes in ${bytes.length}`);
  return { payload: bytes.subarray(length.next, end), framed: bytes.subarray(0, end), rest: bytes.subarray(end) };
}

function readVarint(bytes: Uint8Array, start: number): { value: bigint; next: number } {
  let value = 0n;
  for (let offset = start, shift = 0n; shift < 70n; offset++, shift += 7n) {
    const byte = bytes[offset];
    if (byte === undefined) throw new ProtobufError('a varint is cut off');
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (value >= U64_LIMIT) break;
      return { value, next: offset + 1 };
    }
  }
  throw new ProtobufError('a varint is longer than 64 bits');
}

function readValue({ bytes, offset, wireType }: { bytes: Uint8Array; offset: number; wireType: number }): { value: Value; next: number } {
  if (wireType === 0) return readVarint(bytes, offset);
  if (wireType === 2) {
    const { payload, framed } = unframe(bytes.subarray(offset));
    return { value: payload, next: offset + framed.length };
  }
  const width = { 1: 8, 5: 4 }[wireType];
  if (width === undefined || offset + width > bytes.length) throw new ProtobufError(`wire type ${wireType} at byte ${offset}`);
  return { value: bytes.subarray(offset, offset + width), next: offset + width };
}
