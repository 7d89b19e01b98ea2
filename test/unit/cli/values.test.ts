// Values of options: which are accepted, and the messages for others.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import {
  accountIdOf,
  choiceOf,
  coinOf,
  durationOf,
  faucetOf,
  feesOf,
  fundsOf,
  portOf,
  randomSeed,
  speedOf,
} from '../../../src/program/values.ts';

const complaint = (read: () => unknown): string => {
  try {
    return `accepted as ${String(read())}`;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${error.message} | ${error.hint ?? ''}`;
  }
};

const spanOf = (text: string): number => durationOf(text, '--for');
const uiPort = (text: string): number => portOf(text, '--ui');
const exchangeOf = (text: string): string => choiceOf(['embedded', 'hosted', 'local'])(text, '--exchange');

describe('durations', () => {
  test.each([
    ['20s', 20_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1.5h', 5_400_000],
    ['0.5s', 500],
    ['576h', 576 * 3_600_000],
  ])('%s', (text, span) => {
    expect(spanOf(text)).toBe(span);
  });

  test.each(['20', 's', '', '-5s', '0s', '5 m', '5M', '1d', '1e3s', '0,5s', 'Infinitys'])('"%s" is no duration', (text) => {
    expect(complaint(() => spanOf(text))).toBe(`--for "${text}" is not a time | write 20s, 5m or 2h`);
  });

  test('are refused if no timer can wait that long', () => {
    expect(complaint(() => spanOf('577h'))).toBe('--for 577h is longer than 576h | write a shorter time, or leave the option out');
  });

  test('are reported with the option that was typed', () => {
    for (const text of ['8x', '577h']) expect(complaint(() => durationOf(text, '--silence'))).toMatch(/^--silence /);
  });
});

test('ports', () => {
  expect([uiPort('0'), uiPort('8080'), uiPort('65535')]).toEqual([0, 8080, 65_535]);
  for (const text of ['65536', '-1', 'http', '', '80.5', '0x50'])
    expect(complaint(() => uiPort(text))).toContain(`--ui "${text}" is not a port`);
});

test('account ids are 32-bit whole numbers', () => {
  expect([accountIdOf('0'), accountIdOf('4294967295')]).toEqual([0, 4_294_967_295]);
  for (const text of ['4294967296', '-1', '1.5', 'mine', '']) expect(complaint(() => accountIdOf(text))).toContain('is not an account id');
});

test('a faucet gives an exact amount of the quote token, and can be closed', () => {
  expect([faucetOf('0'), faucetOf('100000'), faucetOf('0.000001')]).toEqual([0, 100_000_000_000, 1]);
  expect(complaint(() => faucetOf('0,01'))).toBe('--faucet "0,01" is not a decimal of at least 0 | write for example 0.01');
  for (const text of ['-1', 'NaN', '1e5', '']) expect(complaint(() => faucetOf(text))).toContain('is not a decimal');
  expect(complaint(() => faucetOf('1000000001'))).toContain('too large');
});

describe('funds to move', () => {
  test.each([
    ['12.5', 12.5],
    ['12.50', 12.5],
    ['007', 7],
    ['100.00', 100],
    ['0.000001', 0.000001],
    ['100000000000.123', 100_000_000_000.123],
  ])('%s', (text, size) => {
    expect(fundsOf(text)).toEqual({ text, size });
  });

  test.each(['0.1234567890123456789', '9007199254740993', '1000000000000000000000', '0.0000000001'])(
    '%s would be sent as another number',
    (text) => {
      expect(complaint(() => fundsOf(text))).toContain('cannot be sent exactly');
    },
  );

  test.each(['0', '0.00'])('%s is refused as zero', (text) => expect(complaint(() => fundsOf(text))).toContain('is zero'));
  test.each(['-5', '1e3', 'USDC', '', '1_000', ' 5', '0x10', 'Infinity'])('"%s" is no amount', (text) => {
    expect(complaint(() => fundsOf(text))).toContain('is not a decimal');
  });

  test('a coin is a word, and not an amount', () => {
    expect(['USDC', 'wBTC', '1INCH'].map(coinOf)).toEqual(['USDC', 'wBTC', '1INCH']);
    for (const text of ['12.5', '', 'US DC', '../x', 'a'.repeat(33)]) expect(complaint(() => coinOf(text))).toContain('is not the symbol');
  });
});

describe('fees', () => {
  test.each([
    ['1,4.5', 100, 450],
    ['0,0', 0, 0],
    ['-0.5, 2', -50, 200],
  ])('%s', (text, makerPpm, takerPpm) => {
    expect(feesOf(text)).toEqual({ makerPpm, takerPpm });
  });

  test.each(['1', '1,2,3', '1,', '-1,-2', '0.5,1e3', ''])('"%s" are no fees', (text) => {
    expect(complaint(() => feesOf(text))).toBe(
      `--fees "${text}" is not a maker fee and a taker fee | write basis points, as in 1,4.5; only the maker fee may be negative, as in -0.5,2`,
    );
  });
});

test('speeds', () => {
  expect([speedOf('1'), speedOf('0.5'), speedOf('1000')]).toEqual([1, 0.5, 1000]);
  for (const text of ['0', '1001']) expect(complaint(() => speedOf(text))).toContain('out of range');
});

test('one of several words is accepted, or the nearest is suggested', () => {
  expect(exchangeOf('hosted')).toBe('hosted');
  expect(complaint(() => exchangeOf('hostd'))).toBe('--exchange "hostd" is not one of embedded, hosted, local | did you mean "hosted"?');
});

test('random seeds differ, and are easy to type', () => {
  expect(randomSeed()).toMatch(/^[0-9a-f]{8}$/);
  expect(randomSeed()).not.toBe(randomSeed());
});
