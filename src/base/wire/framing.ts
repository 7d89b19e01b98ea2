// The framing of bytes on the wire: varints, length prefixes, and the signature that follows an action.
import { AssertionError } from '../errors.ts';
import { printable } from '../text/visible.ts';

/** Received bytes or text that violate the protocol. The message is one sentence. */
export class WireError extends Error {
  override readonly name = 'WireError';

  constructor(message: string) {
    super(printable(message));
  }
}

/** The limit counts the whole body of `POST /action`: prefix, action and signature. */
export const MAX_ACTION_BYTES = 1024;
export const SIGNATURE_BYTES = 64;

const MAX_VARINT_BYTES = 10;
export const MAX_U64 = 2n ** 64n - 1n;

/** Appends `value`, 0 to 2^64 − 1, as a base-128 varint: the low seven bits first. */
export function writeVarint(out: number[], value: bigint): void {
  if (value < 0n || value > MAX_U64) throw new AssertionError(`${value} is not an unsigned 64-bit integer`);
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) out.push(Number(rest & 0x7fn) | 0x80);
  out.push(Number(rest));
}

/** Reads untrusted bytes sequentially: each method throws a `WireError` rather than reading past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#at;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 7n * BigInt(MAX_VARINT_BYTES); shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError('the message ends inside a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (value > MAX_U64) throw new WireError('a number exceeds 64 bits');
        return value;
      }
    }
    throw new WireError(`a number is longer than ${MAX_VARINT_BYTES} bytes`);
  }

  /** Returns a copy, so that the result cannot change when the buffer is reused. */
  take(length: number | bigint): Uint8Array {
    if (length > this.remaining) throw new WireError(`a part of ${length} bytes was announced, but ${this.remaining} are left`);
    const start = this.#at;
    this.#at += Number(length);
    return Uint8Array.from(this.#bytes.subarray(start, this.#at));
  }
}

/** `varint(length) || payload`. */
export function frame(payload: Uint8Array | readonly number[]): Uint8Array {
  const prefix: number[] = [];
  writeVarint(prefix, BigInt(payload.length));
  const framed = new Uint8Array(prefix.length + payload.length);
  framed.set(prefix);
  framed.set(payload, prefix.length);
  return framed;
}

/** Returns the payload of a frame. Bytes after it are an error unless `trailing` is `tolerated`, as in the exchange's own client for receipts. */
export function unframe(bytes: Uint8Array, { maxLength, trailing }: { maxLength: number; trailing: 'refused' | 'tolerated' }): Uint8Array {
  const reader = new ByteReader(bytes);
  const length = reader.varint();
  if (length > maxLength) throw new WireError(`a message of ${length} bytes was announced; at most ${maxLength} are accepted`);
  const payload = reader.take(length);
  if (trailing === 'refused' && reader.remaining > 0) throw new WireError(`${reader.remaining} bytes follow the message`);
  return payload;
}

/** Splits the body of `POST /action` into the signed bytes (prefix and action) and the signature, with no bytes left over. */
export function splitSigned(body: Uint8Array): { framed: Uint8Array; signature: Uint8Array } {
  if (body.length > MAX_ACTION_BYTES)
    throw new WireError(`a signed action of ${body.length} bytes; at most ${MAX_ACTION_BYTES} are accepted`);
  const reader = new ByteReader(body);
  const length = reader.varint();
  if (length + BigInt(SIGNATURE_BYTES) !== BigInt(reader.remaining)) {
    throw new WireError(
      `an action of ${length} bytes and a signature of ${SIGNATURE_BYTES} were announced, but ${reader.remaining} bytes follow`,
    );
  }
  const end = reader.position + Number(length);
  return { framed: body.slice(0, end), signature: body.slice(end) };
}
