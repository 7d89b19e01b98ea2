// Which texts are recognised as keys.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { holdsKey, withoutKeys } from '../../../src/base/text/secrets.ts';
import { toBase58 } from '../../../src/base/wire/ed25519.ts';
import { PAIR, PUBLIC, SECRET } from '../run/keys/samples.ts';

const LIST = JSON.stringify([...PAIR]);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
/** RFC 4648, or another alphabet. */
function base32(bytes: Uint8Array, alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '').join('');
}
const [KEY, LONG] = [toBase58(SECRET), toBase58(PAIR)];

describe('a key', () => {
  test.each([
    KEY,
    LONG,
    LIST,
    JSON.stringify([...SECRET]),
    LIST.replaceAll(',', ' , '),
    LIST.slice(1, -1),
    [...SECRET]
      .reverse()
      .map((byte) => byte * 7)
      .join(' '),
    hex(SECRET),
    hex(PAIR).toUpperCase(),
    `0x${hex(SECRET)}`,
    base64(SECRET),
    base64(SECRET).replace('=', ''),
    base64(PAIR),
    base64(PAIR).replace('==', ''),
    Buffer.from(SECRET).toString('base64url'),
    Buffer.from([0xfb, ...SECRET.slice(1)]).toString('base64url'), // begins with a dash
    base32(SECRET),
    base32(PAIR),
    base32(SECRET).toLowerCase(),
    `${base32(SECRET)}====`,
    base32(SECRET, '0123456789ABCDEFGHIJKLMNOPQRSTUV'),
    base32(SECRET, '0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
    `key=${base32(PAIR)}=`,
    `params.key=${base64(SECRET)}`,
    `--${Buffer.from(PAIR).toString('base64url')}`,
    `--key=${KEY}`,
    `params.key="${KEY}"`,
    `{a: ${LONG}}`,
    `--${KEY}`,
    `${KEY}=1`,
    `no "--${KEY}"`,
    `x\n${KEY}\n`,
  ])('%s', (text) => {
    expect(holdsKey(text)).toBe(true);
  });
});

test('a key in base32 is masked', () => {
  expect(withoutKeys(`no user ${base32(SECRET)} here`)).toBe('no user [a key] here');
});

describe('not a key', () => {
  test.each([
    '',
    'a'.repeat(52),
    '1'.repeat(52),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ',
    'grid',
    `/home/me/keys/${KEY}.json`,
    `${KEY}.key`,
    `${KEY}xx`,
    '[1,2,3]',
    JSON.stringify(Array.from({ length: 40 }, (_, index) => index)),
    `sha256 ${createHash('sha256').update('x').digest('hex')}`,
    `params.levels=${Array.from({ length: 32 }, (_, index) => index * 8).join(',')}`,
    `params.levels=${Array.from({ length: 32 }, (_, index) => (index * 7) % 50).join(',')}`,
    '/home/Me/tapes/2026/Binance/BTCUSDC-1h-09Xy',
    'grid-embedded-20260102T030405678Z',
    'aVeryLongNameOfSomethingThatHasNoDigitsAtXyz',
    '1111111111111111111111111111111111111111111',
  ])('%s', (text) => {
    expect(holdsKey(text)).toBe(false);
  });
});

describe('removing keys from a text', () => {
  test.each([
    ['a list', `bad ${LIST} here`, 'bad [] here'],
    ['the beginning of a list', `at ${LIST.slice(0, -20)}`, 'at []'],
    ['64 bytes in base58', `bad "${LONG}"`, 'bad "[a key]"'],
    ['64 bytes in hex', `bad ${Buffer.from(PAIR).toString('hex')}!`, 'bad [a key]!'],
    ['32 bytes in hex', `bad ${Buffer.from(SECRET).toString('hex')}`, 'bad [a key]'],
    ['32 bytes in base64 without padding', `bad ${base64(SECRET).replace('=', '')}`, 'bad [a key]'],
    ['a list without brackets', `bad ${LIST.slice(1, -1)}!`, 'bad [a key]!'],
    ['32 bytes in base64', `bad ${Buffer.from(SECRET).toString('base64')}`, 'bad [a key]'],
    ['64 bytes in base64', `bad ${Buffer.from(PAIR).toString('base64')}`, 'bad [a key]'],
    ['64 bytes in base64url', `bad ${Buffer.from(PAIR).toString('base64url')}`, 'bad [a key]'],
  ])('%s', (_, text, left) => {
    expect(withoutKeys(text)).toBe(left);
  });

  test('keeps the ends of 32 bytes in base58, which identify a public key', () => {
    const key = toBase58(PUBLIC);
    expect(withoutKeys(`no user ${key} (USER_NOT_FOUND)`)).toBe(`no user ${key.slice(0, 4)}…${key.slice(-4)} (USER_NOT_FOUND)`);
  });

  test('keeps a line of JSON valid', () => {
    const line = JSON.stringify({ bytes: [...PAIR], text: LIST, key: KEY, long: LONG });
    expect(JSON.parse(withoutKeys(line))).toMatchObject({ bytes: [], text: '[]', long: '[a key]' });
  });

  test('keeps hashes, paths and numbers', () => {
    const text = `sha256 ${createHash('sha256').update('x').digest('hex')} at /tmp/x/${KEY}.json, order 18446744073709551615`;
    expect(withoutKeys(text)).toBe(text);
  });
});
