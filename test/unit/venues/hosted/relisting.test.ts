// Changes of a market while we trade in it: detected, reported once per change, and over when the listing is as before.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { HealthSeen } from '../../../../src/bot/domain/event.ts';
import { listingEvents } from '../../../../src/bot/exchange/kit/listing.ts';
import { type Ask, askWith, DEFAULT_POLLING, pollPlan } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import type { HostedClient } from '../../../../src/venues/client/hosted.ts';
import { changesOf, kindWatch } from '../../../../src/venues/hosted/market-kind.ts';
import type { MarketLiveInfo } from '../../../../src/venues/wire/json/hosted.ts';
import { BTC, marketOf } from '../../world-builder.ts';

const marketsLive = () => Promise.resolve({ markets: [] });
const { id, kind: _, ...terms } = BTC.spec;
const LISTED = { marketId: id, ...terms, cmf: 0.0375 };

interface Answers {
  readonly info: () => Promise<unknown>;
  readonly marketsLive: () => Promise<unknown>;
}
const relisting = (client: Answers, { clock, ask, requestedAt }: { clock: VirtualClock; ask: Ask; requestedAt: number }) =>
  listingEvents({ clock, ask }, { read: changesOf([BTC], client as unknown as HostedClient), markets: [BTC], requestedAt });

test.each([
  ['without a change', LISTED, undefined],
  [
    'with finer prices',
    { ...LISTED, priceDecimals: 2 },
    'the exchange has changed priceDecimals of BTCUSDC from 1 to 2: restart the bot to use the new value',
  ],
  [
    'with other margins',
    { ...LISTED, mmf: 0.05 },
    'the exchange has changed mmf of BTCUSDC from 0.025 to 0.05: restart the bot to use the new value',
  ],
  [
    'under another id',
    { ...LISTED, marketId: 9 },
    'the exchange has changed id of BTCUSDC from 0 to 9: restart the bot to use the new value',
  ],
  ['under another name', { ...LISTED, symbol: 'XBTUSDC' }, 'BTCUSDC is not listed any more'],
])('a market %s', async (_name, listed, change) => {
  const client = { info: () => Promise.resolve({ markets: [listed], tokens: [] }), marketsLive };
  expect((await changesOf([BTC], client)()).get(BTC.id)).toBe(change);
});

test('a change is reported once, and so is its end; a listing that cannot be read for a minute is unhealthy', async () => {
  const clock = new VirtualClock(0);
  let listed: typeof LISTED | undefined = LISTED;
  const info = (): Promise<unknown> =>
    listed === undefined ? Promise.reject(new Error('down')) : Promise.resolve({ markets: [listed], tokens: [] });
  const ask = askWith({ clock, rng: rngFrom('s'), plan: pollPlan(DEFAULT_POLLING, 1) });
  const reported: string[] = [];
  const say = ({ at, market, healthy, reason }: HealthSeen): void =>
    void reported.push(`${at / 1_000} ${market ?? 'all'} ${healthy} ${reason}`);
  const looking = relisting({ info, marketsLive }, { clock, ask, requestedAt: 0 }).subscribe(say);
  await clock.drive(40_000);
  listed = { ...LISTED, priceDecimals: 2 };
  await clock.drive(100_000);
  listed = LISTED;
  await clock.drive(130_000);
  listed = undefined;
  await clock.drive(200_000);
  looking.unsubscribe();
  expect(reported.map((line) => line.slice(0, 65))).toEqual([
    '15 all true list of markets seen',
    '45 0 false the exchange has changed priceDecimals of BTCUSDC from',
    '105 0 true listed as at the start',
    '180.001 all false no list of markets for more than 60 s: down',
  ]);
});

test('a list that the start read long ago is unhealthy, and is read again at once', async () => {
  const clock = new VirtualClock(0);
  let isDown = true;
  const info = (): Promise<unknown> =>
    isDown ? Promise.reject(new Error('down')) : Promise.resolve({ markets: [{ ...LISTED, sizeDecimals: 8 }], tokens: [] });
  const ask = askWith({ clock, rng: rngFrom('s'), plan: pollPlan(DEFAULT_POLLING, 1) });
  const seen: HealthSeen[] = [];
  const looking = relisting({ info, marketsLive }, { clock, ask, requestedAt: -84_000 }).subscribe((event) => seen.push(event));
  await clock.drive(100);
  expect(seen.map(({ market, healthy, reason }) => [market, healthy, reason])).toEqual([
    [undefined, false, 'no list of markets for more than 60 s: down'],
  ]);
  isDown = false;
  await clock.drive(20_000);
  looking.unsubscribe();
  expect(seen.slice(1).map(({ market, healthy }) => [market, healthy])).toEqual([
    [undefined, true],
    [0, false],
  ]);
});

test('a change counts although the next request fails', async () => {
  const clock = new VirtualClock(0);
  let [listed, isDown] = [LISTED, false];
  const client = {
    info: () => Promise.resolve({ markets: [listed], tokens: [] }),
    marketsLive: () => (isDown ? Promise.reject(new Error('connection refused')) : marketsLive()),
  };
  const ask = askWith({ clock, rng: rngFrom('s'), plan: pollPlan(DEFAULT_POLLING, 1) });
  const seen: HealthSeen[] = [];
  const looking = relisting(client, { clock, ask, requestedAt: 0 }).subscribe((event) => seen.push(event));
  await clock.drive(20_000);
  [listed, isDown] = [{ ...LISTED, sizeDecimals: 8 }, true];
  await clock.drive(40_000);
  looking.unsubscribe();
  expect(seen.map(({ at, market, healthy }) => [at, market, healthy])).toEqual([
    [15_000, undefined, true],
    [30_000, 0, false],
  ]);
});

const live = (funding: number | undefined) => ({
  markets: [{ marketId: 0, indexPrice: 1, markPrice: 1, frozen: false, projectedFundingRate: funding }] as MarketLiveInfo[],
});

describe('a market that changes its kind', () => {
  test('is detected for a spot market at the first funding value, and over when there is none', () => {
    const changed = kindWatch(marketOf({ kind: 'spot', symbol: 'SOL/USDC' }));
    expect(changed(live(undefined))).toBeUndefined();
    expect(changed(live(0))).toMatch(/^the exchange shows funding of SOL\/USDC, which was a spot market/);
    expect(changed(live(undefined))).toBeUndefined();
  });

  test('is detected for a perpetual after a minute without funding, if funding was shown before', () => {
    const changed = kindWatch(BTC);
    const without = Array<undefined>(11).fill(undefined);
    const looks = [undefined, ...without, 0.1, ...without];
    expect(looks.map((rate) => changed(live(rate)))).toEqual(looks.map(() => undefined));
    expect(changed(live(undefined))).toMatch(/^the exchange shows no funding of BTCUSDC any more/);
    expect(changed(live(0.1))).toBeUndefined();
  });
});
