// Malformed bodies of POST /action, derived from a valid action.
import { createHash } from 'node:crypto';
import type { KeyPair } from '../foreign/keys.ts';
import { unframe, varint } from '../foreign/protobuf.ts';

const RANDOM_BODIES = 60;

/** Returns bodies with a name of their defect. The signatures are valid where there is something to sign. */
export function malformedBodies(framed: Uint8Array, session: KeyPair): [name: string, body: Uint8Array][] {
  const { payload } = unframe(framed);
  const signed = (bytes: Uint8Array): Uint8Array => Buffer.concat([bytes, session.sign(bytes)]);
  const prefixed = (length: bigint): Uint8Array => signed(Buffer.concat([varint(length), payload]));
  const whole = signed(framed);
  return [
    ['empty', new Uint8Array()],
    ['a prefix alone', framed.subarray(0, 1)],
    ['no signature', framed],
    ['a signature cut off', whole.subarray(0, -1)],
    ['a byte too many', Buffer.concat([whole, new Uint8Array(1)])],
    ['cut in the middle', whole.subarray(0, framed.length / 2)],
    ['a length too short', prefixed(BigInt(payload.length - 3))],
    ['a length too long', prefixed(BigInt(payload.length + 3))],
    ['a length of zero', prefixed(0n)],
    ['an empty action', signed(varint(0n))],
    ['a length of 2 GB', prefixed(2n ** 31n)],
    ['a length of 2^64 - 1', prefixed(2n ** 64n - 1n)],
    ['a varint without an end', signed(new Uint8Array(20).fill(0xff))],
    ['a megabyte', new Uint8Array(2 ** 20)],
    ['longer than an action may be', signed(Buffer.concat([varint(1_100n), new Uint8Array(1_100)]))],
    ['text', Buffer.from('{"place_order":{"size":1}}')],
    ...Array.from({ length: RANDOM_BODIES }, (_, index): [string, Uint8Array] => [`random bytes ${index}`, randomBytes(index)]),
  ];
}

/** Returns up to 1100 bytes; the same for the same index. */
function randomBytes(index: number): Uint8Array {
  const length = (index * 37) % 1_100;
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) => createHash('sha256').update(`${index} ${block}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}
