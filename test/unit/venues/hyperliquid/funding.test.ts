// The funding of an account at Hyperliquid: each payment counts once, up to the time of the account, and late ones are found.
import { expect, test } from 'vitest';
import { FundingReads } from '../../../../src/venues/hyperliquid/funding.ts';
import type { AskInfo } from '../../../../src/venues/hyperliquid/requests.ts';

interface Payment {
  readonly time: number;
  readonly coin: string;
  readonly usdc: number;
}

/** Returns the funding of an account whose payments are those of the list at the time of a read. */
function fundingOf(listed: () => readonly Payment[], since?: number) {
  const asked: object[] = [];
  const ask = ((_: string, { shape }: { shape: { parse(value: unknown): unknown } }, question: { startTime: number; endTime: number }) => {
    asked.push(question);
    const { startTime, endTime } = question;
    const rows = listed().filter(({ time }) => time >= startTime && time <= endTime);
    return Promise.resolve(shape.parse(rows.map(({ time, coin, usdc }) => ({ time, delta: { coin, usdc: String(usdc) } }))));
  }) as unknown as AskInfo;
  return { asked, funding: new FundingReads(ask, { user: '0x', since }) };
}

const stateAt = (time: number, paid: Readonly<Record<string, number>>) => ({
  time,
  assetPositions: Object.entries(paid).map(([coin, allTime]) => ({
    position: {
      coin,
      szi: 1,
      entryPx: undefined,
      leverage: { type: 'cross' as const, value: 20 },
      unrealizedPnl: 0,
      cumFunding: { allTime },
    },
  })),
});

test('payments count from the first account on, once, and nothing is read while no sum moves', async () => {
  const { funding, asked } = fundingOf(() => [
    { time: 50, coin: 'BTC', usdc: -5 },
    { time: 150, coin: 'BTC', usdc: -2 },
    { time: 150, coin: 'ETH', usdc: 1 },
  ]);
  expect(await funding.upTo(stateAt(100, { BTC: 5, ETH: 0 }))).toEqual(new Map());
  await funding.upTo(stateAt(120, { BTC: 5, ETH: 0 }));
  expect(asked).toEqual([]);
  expect(await funding.upTo(stateAt(200, { BTC: 7, ETH: -1 }))).toEqual(
    new Map([
      ['BTC', 2],
      ['ETH', -1],
    ]),
  );
  await funding.upTo(stateAt(210, { BTC: 7, ETH: -1 }));
  await funding.upTo(stateAt(220, { BTC: 7 }));
  expect(await funding.upTo(stateAt(230, { BTC: 7 }))).toEqual(
    new Map([
      ['BTC', 2],
      ['ETH', -1],
    ]),
  );
});

test('a payment that is listed later than the position shows it is read again', async () => {
  const late: Payment[] = [];
  const { funding } = fundingOf(() => late);
  await funding.upTo(stateAt(100, { BTC: 5 }));
  expect(await funding.upTo(stateAt(200, { BTC: 7 }))).toEqual(new Map());
  late.push({ time: 150, coin: 'BTC', usdc: -2 });
  expect(await funding.upTo(stateAt(210, { BTC: 7 }))).toEqual(new Map([['BTC', 2]]));
});

test('a later process counts from where an earlier one stopped', async () => {
  const { funding } = fundingOf(
    () => [
      { time: 100, coin: 'BTC', usdc: -5 },
      { time: 130, coin: 'BTC', usdc: -2 },
    ],
    100,
  );
  expect(await funding.upTo(stateAt(200, {}))).toEqual(new Map([['BTC', 2]]));
});
