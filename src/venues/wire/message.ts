// Encodes and decodes one message by its resolved shape. Numbers are exact to 64 bits. Malformed bytes are refused; fields that are not used here are reported.
import { AssertionError } from '../../base/errors.ts';
import { KEY_BYTES } from '../../base/wire/ed25519.ts';
import { ByteReader, WireError, writeVarint } from '../../base/wire/framing.ts';
import { type MessageSpec, mayBeOmitted, type ValuesOf } from './schema/needs.ts';
import type { Field, OtherField, Shape } from './schema/resolve.ts';
import { fromWire, type Scalar, toWire } from './schema/scalars.ts';

type Value = Scalar | Uint8Array | Values | readonly Values[];
interface Values {
  readonly [key: string]: Value | undefined;
}

/** Called with each field that is set and not used here, and with the shape of its message. */
export type OnOther = (other: OtherField, shape: Shape) => void;

/** The wire types of proto3: how the bytes after a tag are to be read. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;
const MAX_FIELD_NUMBER = 2n ** 29n - 1n;

/**
 * Returns the bytes of the fields that the schema has; a zero is left out if absent means zero. A missing or impossible value is a programmer error.
 */
export function writeMessage<M extends MessageSpec>(shape: Shape, values: ValuesOf<M>): number[] {
  const out: number[] = [];
  for (const field of shape.fields) writeField(out, field, (values as Values)[field.key]);
  return out;
}

/**
 * Returns the values of a message. Throws a `WireError` for malformed bytes, a wrong wire type, a value out of range, a key of another length, or a
 * field that occurs twice. Calls `onOther` with a field that is not used here, unless its value is a zero that means absent.
 */
export function readMessage<M extends MessageSpec>(shape: Shape, bytes: Uint8Array, onOther: OnOther): ValuesOf<M> {
  const reader = new ByteReader(bytes);
  const values: Record<string, Value> = {};
  while (reader.remaining > 0) {
    const tag = reader.varint();
    const [number, wireType] = [tag >> 3n, Number(tag & 7n)];
    if (number === 0n || number > MAX_FIELD_NUMBER) throw new WireError(`${shape.name} holds a field of the impossible number ${number}`);
    const field = shape.byNumber.get(Number(number));
    if (field === undefined) passOver(reader, { number: Number(number), wireType, shape, onOther });
    else setValue(values, field, readField(reader, { field, wireType, onOther }));
  }
  for (const field of shape.fields) {
    if (values[field.key] === undefined && !mayBeAbsent(field)) values[field.key] = zeroOf(field);
  }
  return values as ValuesOf<M>;
}

function writeField(out: number[], field: Field, value: Value | undefined): void {
  if (value === undefined) {
    if (!mayBeAbsent(field) && field.spec.optional !== 'schema') throw new AssertionError(`${field.name} has no value`);
  } else if (Array.isArray(value)) {
    for (const item of value as readonly Values[]) writeField(out, field, item);
  } else if (field.shape !== undefined) {
    writeBytes(out, field, writeMessage(field.shape, value as ValuesOf<MessageSpec>));
  } else if (value instanceof Uint8Array) {
    if (value.length !== KEY_BYTES) throw new AssertionError(`${field.name} is not a key of ${KEY_BYTES} bytes`);
    writeBytes(out, field, value);
  } else {
    const number = toWire(field, value as Scalar);
    if (number === 0n && !field.presence) return;
    writeVarint(out, BigInt(field.number * 8 + VARINT));
    writeVarint(out, number);
  }
}

function writeBytes(out: number[], field: Field, bytes: Iterable<number> & { readonly length: number }): void {
  writeVarint(out, BigInt(field.number * 8 + LENGTH));
  writeVarint(out, BigInt(bytes.length));
  for (const byte of bytes) out.push(byte);
}

function readField(reader: ByteReader, { field, wireType, onOther }: { field: Field; wireType: number; onOther: OnOther }): Value {
  const expected = field.spec.type === 'message' || field.spec.type === 'key' ? LENGTH : VARINT;
  if (wireType !== expected) throw new WireError(`${field.name} has wire type ${wireType}, not ${expected}`);
  if (expected === VARINT) return fromWire(field, reader.varint());
  const bytes = reader.take(reader.varint());
  if (field.shape !== undefined) return readMessage(field.shape, bytes, onOther);
  if (bytes.length !== KEY_BYTES) throw new WireError(`${field.name} is not a key of ${KEY_BYTES} bytes`);
  return bytes;
}

/** Sets the value of a field, or adds it to a list. Throws a `WireError` if a field that is no list occurs twice. */
function setValue(values: Record<string, Value>, field: Field, value: Value): void {
  const before = values[field.key];
  if (field.spec.type === 'message' && field.spec.repeated) {
    const list = (before ?? []) as Values[];
    list.push(value as Values);
    values[field.key] = list;
  } else {
    if (before !== undefined) throw new WireError(`${field.name} occurs twice`);
    values[field.key] = value;
  }
}

/** True if a field that is not on the wire has no value, rather than zero. */
const mayBeAbsent = ({ spec }: Field): boolean => mayBeOmitted(spec) || spec.type === 'message' || spec.type === 'code';

/** Returns the value of a field that is not on the wire. */
function zeroOf(field: Field): Value {
  if (field.spec.type === 'key') throw new WireError(`${field.name} is missing`);
  return fromWire(field, 0n);
}

/** Skips a value that is not used here, and reports it to `onOther`. */
function passOver(
  reader: ByteReader,
  { number, wireType, shape, onOther }: { number: number; wireType: number; shape: Shape; onOther: OnOther },
): void {
  const other = shape.others.get(number) ?? { name: `field ${number}`, type: 'unknown', number, zeroIsAbsent: false, inOneof: false };
  if (!isZero(reader, { wireType, shape }) || !other.zeroIsAbsent) onOther(other, shape);
}

function isZero(reader: ByteReader, { wireType, shape }: { wireType: number; shape: Shape }): boolean {
  switch (wireType) {
    case VARINT:
      return reader.varint() === 0n;
    case LENGTH:
      return reader.take(reader.varint()).length === 0;
    case FIXED64:
      return reader.take(8).every((byte) => byte === 0);
    case FIXED32:
      return reader.take(4).every((byte) => byte === 0);
    default:
      throw new WireError(`${shape.name} holds a value of wire type ${wireType}, which proto3 does not have`);
  }
}
