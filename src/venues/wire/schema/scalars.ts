// Converts one number between the code and the wire: ids as text, amounts as bigint, choices as words; each within the range of its field.
import { AssertionError, unreachable } from '../../../base/errors.ts';
import { WireError } from '../../../base/wire/framing.ts';
import type { Field } from './resolve.ts';

export type Scalar = string | bigint | number | boolean;

/** Returns the varint of a value. A value out of range is a programmer error, because protobuf would silently write a different value. */
export function toWire({ spec, name, numbers, range }: Field, value: Scalar): bigint {
  if (spec.type === 'choice') {
    const number = numbers.get(String(value));
    if (number === undefined) throw new AssertionError(`${name} cannot be ${value}`);
    return BigInt(number);
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new AssertionError(`${name} cannot be ${value}: it is not a whole number`);
  if (typeof value === 'string' && !/^\d+$/.test(value)) throw new AssertionError(`${name} cannot be "${value}": it is not a decimal id`);
  const number = BigInt(value);
  // Nothing that is written is negative, whatever the type of the schema allows.
  if (number < 0n || number > range.max) throw new AssertionError(`${name} cannot be ${value}: it is outside 0 to ${range.max}`);
  return number;
}

/** Returns the value of a varint. Throws a `WireError` if the field, or the code, cannot hold it. */
export function fromWire({ spec, name, numbers, range }: Field, varint: bigint): Scalar {
  const number = range.min < 0n ? BigInt.asIntN(64, varint) : varint;
  if (number < range.min || number > range.max) throw new WireError(`${name} is out of range: ${number}`);
  switch (spec.type) {
    case 'id':
      return number.toString();
    case 'flag':
      return number === 1n;
    case 'amount':
      return number;
    case 'u32':
    case 'integer':
    case 'code':
      if (!Number.isSafeInteger(Number(number))) throw new WireError(`${name} is out of range: ${number}`);
      return Number(number);
    case 'choice':
      for (const [word, known] of numbers) if (known === Number(number)) return word;
      throw new WireError(`${name} has the unknown value ${number}`);
    case 'key':
    case 'message':
      throw new WireError(`${name} is not a number`);
    default:
      return unreachable(spec);
  }
}
