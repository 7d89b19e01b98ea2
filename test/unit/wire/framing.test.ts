// Lengths, signatures and their limits.
import { describe, expect, it } from 'vitest';
import { frame, splitSigned, unframe, WireError, writeVarint } from '../../../src/base/wire/framing.ts';
import { hex, toHex } from './samples.ts';

const varint = (value: bigint): string => {
  const out: number[] = [];
  writeVarint(out, value);
  return toHex(Uint8Array.from(out));
};

describe('varints', () => {
  it.each([
    [0n, '00'],
    [127n, '7f'],
    [128n, '8001'],
    [300n, 'ac02'],
    [2n ** 53n + 1n, '8180808080808010'],
    [2n ** 64n - 1n, 'ffffffffffffffffff01'],
  ])('%s', (value, bytes) => expect(varint(value)).toBe(bytes));

  it.each([-1n, 2n ** 64n])('never %s', (value) => expect(() => varint(value)).toThrow('not an unsigned 64-bit integer'));
});

describe('frames', () => {
  it('have the length in front', () => {
    expect(toHex(frame(hex('0805')))).toBe('020805');
    expect(toHex(frame(new Uint8Array(300))).slice(0, 4)).toBe('ac02');
    expect(unframe(hex('02 0805'), { maxLength: 2, trailing: 'refused' })).toEqual(hex('0805'));
  });

  it('end at their length, or may be followed', () => {
    expect(() => unframe(hex('02 0805 00'), { maxLength: 9, trailing: 'refused' })).toThrow('1 bytes follow the message');
    expect(unframe(hex('02 0805 00'), { maxLength: 9, trailing: 'tolerated' })).toEqual(hex('0805'));
  });
});

describe('signed bodies', () => {
  const signature = 'ab'.repeat(64);

  it('are cut into what was signed and the signature', () => {
    const { framed, signature: cut } = splitSigned(hex(`02 0805 ${signature}`));
    expect([toHex(framed), toHex(cut)]).toEqual(['020805', signature]);
  });

  it('may have 1024 bytes and no more', () => {
    const longest = 1024 - 64 - 2;
    expect(splitSigned(Uint8Array.from([...frame(new Uint8Array(longest)), ...hex(signature)])).framed).toHaveLength(960);
    expect(() => splitSigned(Uint8Array.from([...frame(new Uint8Array(longest + 1)), ...hex(signature)]))).toThrow(
      '1025 bytes; at most 1024',
    );
  });

  it.each([
    ['nothing', ''],
    ['a length alone', '02'],
    ['no signature', '02 0805'],
    ['a signature too short', `02 0805 ${signature.slice(2)}`],
    ['an additional byte', `02 0805 ${signature}00`],
    ['a length of 2 GB', `8080808008 ${signature}`],
    ['a length of 2^64 - 64', `c0ffffffffffffffff01 ${signature}`],
    ['a length without end', 'ff'.repeat(80)],
  ])('are refused with %s', (_, body) => expect(() => splitSigned(hex(body))).toThrow(WireError));
});
