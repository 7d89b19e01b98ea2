// The fee rates of an account whose snapshots have none: they are read again while a run lasts.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { PolledFeeRates } from '../../../../src/bot/exchange/kit/streams/fee-rates.ts';
import { askWith, DEFAULT_POLLING, pollPlan } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import type { AccountFees } from '../../../../src/bot/exchange/kit/venue-client.ts';

const RATES: AccountFees = { feeRate: 0.0005, fees: { maker: 0.0001, taker: 0.0005 } };
const RAISED: AccountFees = { feeRate: 0.0007, fees: { maker: 0.0002, taker: 0.0007 } };
const refused = (): Promise<AccountFees> => Promise.reject(new Error('not available'));
/** Reads begin 30 s after each other at the latest; the first waits as long. */
const ONE_READ = 40_000;

async function started(fees: () => Promise<AccountFees>) {
  const clock = new VirtualClock(100_000);
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (text: string) => void warnings.push(text) };
  const rates = new PolledFeeRates({ fees }, log);
  await rates.start();
  const ask = askWith({ clock, rng: rngFrom('fees'), plan: pollPlan(DEFAULT_POLLING, 1) });
  const streams = rates.refresh({ clock, ask }).map((stream) => stream.subscribe());
  return { clock, rates, warnings, stop: () => streams.forEach((stream) => stream.unsubscribe()) };
}

test('a rate that the exchange changes is known after the next read, and the same rates stay the same object', async () => {
  let charged = RATES;
  const { clock, rates, stop } = await started(async () => ({ ...charged }));
  const first = rates.newest;
  expect(first).toEqual(RATES);
  await clock.drive(clock.now() + ONE_READ);
  expect(rates.newest).toBe(first);
  charged = RAISED;
  await clock.drive(clock.now() + ONE_READ);
  expect(rates.newest).toEqual(RAISED);
  stop();
});

test('a read that fails changes nothing, and the next one is tried', async () => {
  let answer = async (): Promise<AccountFees> => RATES;
  const { clock, rates, stop } = await started(() => answer());
  answer = refused;
  await clock.drive(clock.now() + ONE_READ);
  expect(rates.newest).toEqual(RATES);
  answer = async () => RAISED;
  await clock.drive(clock.now() + 2 * ONE_READ);
  expect(rates.newest).toEqual(RAISED);
  stop();
});

test('rates that are refused at the start are reported, and read later', async () => {
  let answer = refused;
  const { clock, rates, warnings, stop } = await started(() => answer());
  expect(rates.newest).toEqual({});
  expect(warnings).toEqual([expect.stringContaining('not available')]);
  answer = async () => RATES;
  await clock.drive(clock.now() + ONE_READ);
  expect(rates.newest).toEqual(RATES);
  stop();
});
