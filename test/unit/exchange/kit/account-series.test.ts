// The numbers of accounts: which accounts are believed where the numbers go back or leap, and when that is reported.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import type { Account, RestingOrder } from '../../../../src/bot/domain/account.ts';
import { compareUpdateIds } from '../../../../src/bot/domain/ids.ts';
import { micros } from '../../../../src/bot/domain/numbers.ts';
import { AccountSeries } from '../../../../src/bot/exchange/kit/streams/account-series.ts';

const NOTHING = micros(0);
const MARGINS = { omf: NOTHING, mf: NOTHING, imf: NOTHING, mmf: NOTHING, pon: NOTHING, pn: NOTHING, bankruptcy: false };
const START = 1_000_000;

function bench(earlier?: string) {
  const clock = new VirtualClock(START);
  const series = new AccountSeries({ clock, earlier });
  const found: string[] = [];
  series.findings.subscribe(({ healthy, reason }) => found.push(`${healthy ? 'healthy' : 'unhealthy'}: ${reason}`));
  return {
    found,
    wait: (ms: number) => clock.drive(clock.now() + ms),
    /** Takes an account, which took 50 ms; returns its number if it is believed. */
    sees: async (updateId: string, ...orderIds: string[]): Promise<string | undefined> => {
      const asked = clock.now();
      await clock.drive(asked + 50);
      const orders = orderIds.map((orderId) => ({ orderId }) as RestingOrder);
      const value: Account = { id: 7, updateId, balances: [], positions: [], orders, margins: MARGINS };
      return series.take({ kind: 'seen', asked, at: clock.now(), value })?.updateId;
    },
    /** An action that is executed within 50 ms. */
    acts: async (orderId: string, rests: boolean): Promise<void> => {
      const sent = clock.now();
      await clock.drive(sent + 50);
      series.executed({ sent, answered: clock.now(), orderId, rests });
    },
  };
}

test('older accounts are dropped without a word while nothing shows that they are newer', async () => {
  const { sees, acts, found } = bench();
  await acts('a', true);
  expect([await sees('10', 'a'), await sees('8', 'a'), await sees('9', 'a'), await sees('10', 'a'), await sees('11')]).toEqual([
    '10',
    undefined,
    undefined,
    '10',
    '11',
  ]);
  expect(found).toEqual([]);
});

test('a lower number beside a newer order of ours is reported at once, and the second such account begins a series', async () => {
  const { sees, acts, found } = bench();
  expect(await sees('10')).toBe('10');
  await acts('a', true);
  expect(await sees('5', 'a')).toBeUndefined();
  expect(found).toEqual([
    expect.stringContaining('unhealthy: the exchange numbers an account of ours 5 after 10, although it shows an action'),
  ]);
  expect([await sees('5', 'a'), await sees('6'), await sees('4')]).toEqual(['1/5', '1/6', undefined]);
  expect(found).toHaveLength(2);
});

test('an account that lacks a cancelled order shows the cancel only if the one before listed the order', async () => {
  const { sees, acts, found } = bench();
  expect(await sees('10', 'a')).toBe('10');
  await acts('a', false);
  expect([await sees('5'), await sees('5'), await sees('6')]).toEqual([undefined, undefined, undefined]); // perhaps from before the order
  expect(found).toEqual([]);
  const other = bench();
  await other.sees('10', 'a');
  expect(await other.sees('4', 'a')).toBeUndefined();
  await other.acts('a', false);
  expect([await other.sees('5'), other.found.length, await other.sees('6')]).toEqual([undefined, 1, '1/6']);
});

test('an account that lists a cancelled order, or is lower than the one before, agrees with nothing', async () => {
  const { sees, acts } = bench();
  await sees('10');
  await acts('a', true);
  await acts('b', true);
  await acts('b', false);
  expect([await sees('5', 'a', 'b'), await sees('6', 'a', 'b')]).toEqual([undefined, undefined]);
  expect([await sees('6', 'a'), await sees('5', 'a'), await sees('5', 'a')]).toEqual([undefined, undefined, '1/5']);
});

test('without any action, lower numbers that grow are believed after ten seconds', async () => {
  const { sees, wait, found } = bench();
  await sees('10');
  for (let second = 0; second < 30; second++) {
    expect(await sees('5')).toBeUndefined();
    await wait(1_000);
  }
  expect(found).toEqual([]);
  expect(await sees('6')).toBe('1/6');
});

test('a lower number that stands still is believed after 150 s: an account without orders and trades shows nothing newer', async () => {
  const { sees, wait, found } = bench();
  await sees('10');
  let believed: string | undefined;
  let seconds = 0;
  for (; believed === undefined && seconds < 200; seconds++) {
    believed = await sees('5');
    await wait(950);
  }
  expect([believed, seconds]).toEqual(['1/5', 151]);
  expect(found).toHaveLength(2);
});

test('a leap is reported at once and not believed alone, but a number that time explains is', async () => {
  const { sees, wait, acts, found } = bench();
  await sees('10');
  expect(await sees(String(2n ** 60n))).toBeUndefined();
  expect(found).toEqual([expect.stringContaining('which no trading explains')]);
  expect(await sees('11')).toBe('11');
  expect(found).toHaveLength(2);
  await wait(60_000);
  expect(await sees('900000000000')).toBe('900000000000');
  await acts('a', true);
  const high = 2n ** 60n;
  expect([await sees(`${high}`, 'a'), await sees(`${high + 1n}`, 'a')]).toEqual([undefined, `1/${high + 1n}`]);
});

test('the next process goes on in the series of the journal, or begins another', async () => {
  const same = bench('3/100');
  expect([await same.sees('99'), await same.sees('100'), same.found]).toEqual([undefined, '3/100', []]);
  const lower = bench(String(2n ** 60n));
  expect(await lower.sees('7')).toBeUndefined();
  await lower.acts('a', true);
  expect([await lower.sees('8', 'a'), await lower.sees('9', 'a'), lower.found.length]).toEqual([undefined, '1/9', 2]);
});

test('numbers compare by their series, then by their value', () => {
  const sorted = ['7', '10', '18446744073709551615', '1/2', '1/10', '2/1', '10/0'];
  expect([...sorted].reverse().sort(compareUpdateIds)).toEqual(sorted);
});
