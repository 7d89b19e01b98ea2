// The checks of a strategy: each finds its planted fault. That a sound strategy passes all of them: `check-all.slow.test.ts`.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckName, type CheckResult, check } from 'tickwright/testing';
import { describe, expect, test } from 'vitest';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { KIND_BITS, ROW, STAMPS_PER_MILLI } from '../../../src/embedded/rows/rows.ts';
import { meanOf } from '../../../src/research/testing/check/checks/random-walk.ts';
import { embeddedTapes } from '../../../src/research/testing/check/tapes/embedded-tapes.ts';
import grid from '../../../strategies/grid.ts';
import * as planted from './planted-faults.ts';

async function resultOf<P extends Params>(
  strategy: Strategy<P>,
  name: CheckName,
  params?: Readonly<Record<string, unknown>>,
): Promise<CheckResult> {
  const results = await check(strategy, { only: [name], ...(params && { params }) });
  const result = results.find((one) => one.name === name);
  if (result === undefined) throw new Error(`the check ${name} had no result`);
  return result;
}

/** True if the mean of these profits is above what chance explains. */
const excess = (...profits: readonly number[]): boolean => meanOf(profits).mean > meanOf(profits).limit;

describe('a planted fault is found', () => {
  test('its own randomness', async () => {
    expect(await resultOf(planted.dice, 'determinism')).toMatchObject({
      verdict: 'fail',
      reason: expect.stringContaining('two runs of one seed differ'),
    });
  });

  test('a counter that does not survive a restart', async () => {
    expect(await resultOf(planted.counter, 'restart')).toMatchObject({
      verdict: 'fail',
      reason: expect.stringContaining('it returns other intents: position'),
    });
    expect((await resultOf(planted.rememberedCounter, 'restart')).verdict).toBe('pass');
  });

  test('a division by zero at the end of a range', async () => {
    expect(await resultOf(planted.divider, 'parameters')).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^with share=0: .*NaN/),
    });
  });

  test('too many orders', async () => {
    expect(await resultOf(planted.restless, 'markets')).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^still market: an order storm: \d+ orders were placed or cancelled without a fill/),
    });
  });

  test("a file with tomorrow's prices", async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'check-')), 'prices.json');
    const [tape] = embeddedTapes({ seed: 'check', markets: ['BTCUSDC'], spanMs: 300_000 });
    const prices: [number, number][] = [];
    for await (const { count, times, codes, prices: ticks } of tape!.blocks())
      for (let row = 0; row < count; row++)
        if ((codes[row]! & KIND_BITS) === ROW.mark) prices.push([times[row]! / STAMPS_PER_MILLI, ticks[row]! / 10]);
    writeFileSync(file, JSON.stringify(prices));
    expect(await resultOf(planted.oracle, 'look-ahead', { file })).toMatchObject({
      verdict: 'fail',
      reason: expect.stringContaining('on the same prices four weeks later it acts differently'),
    });
  });

  test('profit where none is possible', async () => {
    expect(await resultOf(planted.clairvoyant, 'random-walk')).toMatchObject({
      verdict: 'fail',
      reason: expect.stringContaining('nobody can earn there'),
    });
  });

  test('but two equal profits prove nothing, twelve do', () => {
    expect(excess(10, 11)).toBe(false);
    expect(excess(...Array.from({ length: 6 }, () => [10, 11]).flat())).toBe(true);
    expect(
      meanOf(Array.from({ length: 12 }, (_, index) => index)).limit / meanOf(Array.from({ length: 12 }, (_, index) => index)).error,
    ).toBeCloseTo(3.85, 2);
  });

  test('the assumption that a book has asks', async () => {
    expect(await resultOf(planted.trusting, 'markets')).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^one-sided book: strategy trusting failed at .*planted-faults\.ts:\d+:\d+: the book has no asks$/),
    });
  });

  test('the assumption that a signal has the right shape', async () => {
    expect(await resultOf(planted.believer, 'inputs')).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(
        /^the input side is null: strategy believer failed at .*; look at the type of a value before you use it/,
      ),
    });
    expect(await resultOf(planted.doubter, 'inputs')).toMatchObject({
      verdict: 'warn',
      reason: expect.stringContaining('no usual value of side'),
    });
    const inputs = { side: [{ after: '5s', value: { position: 'long' } }] };
    const [result, simulated] = await check(planted.doubter, { only: ['inputs', 'simulation'], inputs });
    expect(result).toMatchObject({
      verdict: 'pass',
      reason: '1 input in 15 cases: no value, late, failing, wrong values; no error and no order storm',
    });
    expect(simulated).toMatchObject({ verdict: 'pass', reason: expect.stringMatching(/^[1-9]\d* orders/) });
  });

  test('the assumption that hours are calm', async () => {
    expect(await resultOf(planted.calmHours, 'markets')).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^crash in candles of 1h: strategy calm-hours failed at .*: a fall of a tenth$/),
    });
  });

  test('a strategy that never trades', async () => {
    const results = await check(planted.idle, { only: ['determinism', 'restart', 'parameters', 'markets', 'simulation'] });
    expect(results.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
      'determinism skip',
      'restart skip',
      'parameters warn',
      'markets skip',
      'simulation warn',
      'orders fail',
    ]);
    expect(results[4]?.reason).toContain('it placed no order in 3 simulated runs');
  });

  test('a strategy that delays its orders', async () => {
    expect(await resultOf(planted.slow, 'cost')).toMatchObject({ verdict: 'warn', reason: expect.stringContaining('µs delays orders') });
  });

  test('but not one that a busy machine does not run', async () => {
    expect(await resultOf(planted.suspended, 'cost')).toMatchObject({ verdict: 'pass' });
  });
});

test('an unknown check is refused', async () => {
  await expect(check(grid, { only: ['luck' as CheckName] })).rejects.toThrow('there is no check "luck"');
});
