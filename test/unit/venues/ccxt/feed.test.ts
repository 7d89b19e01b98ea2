// The public data of an exchange that ccxt knows, as a feed: what the start asks and says, what is polled how often, and what the answers become.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { BookSeen, HealthSeen, InfoSeen, MarketEvent, TradesSeen } from '../../../../src/bot/domain/event.ts';
import { DEFAULT_POLLING } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import type { PublicFeed } from '../../../../src/bot/exchange/port.ts';
import { addressOf, connectCcxtFeed } from '../../../../src/venues/ccxt/open.ts';
import { driven } from '../../../driven.ts';
import { FakeLibrary, Temporary } from './fake-library.ts';

const START = Date.UTC(2026, 0, 1);
const QUIET = { info: () => undefined, warn: () => undefined };
const HOUR = 3_600_000;

interface Opened {
  readonly feed: PublicFeed;
  readonly clock: VirtualClock;
  readonly events: readonly MarketEvent[];
}

const NO_NETWORK = {
  request: () => Promise.reject(new Error('the fake sends nothing')),
  close: async () => undefined,
};

async function opened(library: FakeLibrary, { markets = ['BTC/USD'], name = 'okx' } = {}): Promise<Opened> {
  const clock = new VirtualClock(START);
  const connecting = connectCcxtFeed(
    name,
    {
      clock,
      rng: rngFrom('feed'),
      polling: DEFAULT_POLLING,
      markets,
      log: QUIET,
      start: { timeoutMs: 5_000, log: QUIET },
      url: 'https://api.fake.example',
      transport: NO_NETWORK,
      transportTo: () => NO_NETWORK,
    },
    async () => library,
  );
  const feed = await driven(clock, connecting);
  const events: MarketEvent[] = [];
  feed.events.subscribe((event) => events.push(event));
  return { feed, clock, events };
}

const seconds = async ({ clock }: Opened, count: number): Promise<void> => {
  await clock.drive(clock.now() + count * 1_000);
};

const ofKind = <K extends MarketEvent['kind']>({ events }: Opened, kind: K) =>
  events.filter((event): event is Extract<MarketEvent, { kind: K }> => event.kind === kind);
const books = (run: Opened): readonly BookSeen[] => ofKind(run, 'bookSeen');
const trades = (run: Opened): readonly TradesSeen[] => ofKind(run, 'tradesSeen');
const infos = (run: Opened): readonly InfoSeen[] => ofKind(run, 'infoSeen');
const listingFaults = (run: Opened): readonly HealthSeen[] =>
  ofKind(run, 'healthSeen').filter(({ stream, healthy }) => stream === 'listing' && !healthy);

const row = (id: string | undefined, amount: number, more: object = {}) => ({
  timestamp: START,
  id,
  side: 'buy',
  price: 100.2,
  amount,
  ...more,
});

const loadFake = async () => new FakeLibrary();

test('the address of an exchange is that of its API, and the nearest name is offered for an unknown one', async () => {
  expect(await addressOf('okx', loadFake)).toBe('https://api.fake.example');
  await expect(addressOf('krakn', loadFake)).rejects.toMatchObject({
    message: 'ccxt 0.0.0 does not know the exchange "krakn"',
    hint: 'did you mean "kraken"?',
  });
});

test('sizes of contracts become tokens, and what is less than a lot is left out', async () => {
  const library = new FakeLibrary();
  library.book = () => ({
    bids: [
      [100, 25],
      [99.9, 0.05],
    ],
    asks: [[100.2, 30.25]],
  });
  library.trades = () => [row('7', 20), row('8', 0.01)];
  const run = await opened(library, { markets: ['BTC/USD:USD'] });
  await seconds(run, 3);
  const [market] = run.feed.markets;
  const { bids, asks } = books(run)[0]!.book;
  expect([bids, asks].map((side) => side.map(({ price, size }) => [market!.price(price), market!.size(size)]))).toEqual([
    [[100, 0.25]],
    [[100.2, 0.302]],
  ]);
  expect(trades(run).flatMap((seen) => seen.trades.map(({ tradeId, size }) => [tradeId, market!.size(size)]))).toEqual([['7', 0.2]]);
});

test('trades without ids are distinguished by their content, and none is reported twice', async () => {
  const library = new FakeLibrary();
  const listed = [row(undefined, 1, { timestamp: START - 5_000 }), row(undefined, 1), row(undefined, 1)];
  library.trades = () => listed;
  const run = await opened(library);
  await seconds(run, 3);
  listed.push(row(undefined, 2, { timestamp: START + 3_000, side: 'sell' }));
  await seconds(run, 3);
  const sizes = trades(run).flatMap((seen) => seen.trades.map(({ size, takerSide }) => [size, takerSide]));
  expect(sizes).toEqual([
    [10_000, 'bid'],
    [10_000, 'bid'],
    [10_000, 'bid'],
    [20_000, 'ask'],
  ]);
});

test('an exchange without public trades is said to be one, and is not asked for them again', async () => {
  const library = new FakeLibrary();
  library.has = { fetchOrderBook: true };
  const run = await opened(library);
  await seconds(run, 5);
  expect(library.calls).not.toContain('fetchTrades');
  expect(run.feed.quality).toMatch(
    /^ccxt:okx by ccxt 0.0.0, polled: order books every 0.5 s, 1 levels a side; no public trades \(ccxt has no request for them\)/,
  );
  expect(run.feed.quality).toMatch(/a resting order fills only when the book crosses its price/);
});

test('the depth is one that the exchange takes', async () => {
  const library = new FakeLibrary();
  library.refusedDepths = [50, 20];
  const run = await opened(library);
  await seconds(run, 2);
  expect(library.calls.filter((call) => call.startsWith('fetchOrderBook')).slice(0, 5)).toEqual([
    'fetchOrderBook 50',
    'fetchOrderBook 20',
    'fetchOrderBook 100',
    'fetchOrderBook 100',
    'fetchOrderBook 100',
  ]);
});

test('a tick that is not that of the prices ends the start', async () => {
  const library = new FakeLibrary();
  library.book = () => ({ bids: [[100, 1]], asks: [[100.25, 1]] });
  await expect(opened(library)).rejects.toThrow(
    'the book of BTC/USD has the price 100.25, which is no multiple of 0.1, the tick that ccxt states',
  );
});

test('the middle of the book is the mark and index price of a spot market', async () => {
  const run = await opened(new FakeLibrary());
  await seconds(run, 3);
  const [market] = run.feed.markets;
  expect(
    infos(run)
      .at(-1)
      ?.infos.map(({ mark, index, fundingRate }) => [market!.price(mark!), market!.price(index!), fundingRate]),
  ).toEqual([[100.1, 100.1, undefined]]);
  expect(run.feed.quality).toMatch(/no mark price: the middle of the book counts as one\./);
});

test('funding of eight hours is a rate of an hour for strategies, and the market says how long the interval is', async () => {
  const library = new FakeLibrary();
  library.has = { ...library.has, fetchFundingRate: true, fetchFundingRates: true };
  library.funding = (symbol) => ({
    symbol,
    markPrice: 101.04,
    indexPrice: 100.96,
    fundingRate: 0.0008,
    fundingTimestamp: START + HOUR,
    interval: '8h',
  });
  const run = await opened(library, { markets: ['BTC/USD:USD'] });
  await seconds(run, 3);
  const [market] = run.feed.markets;
  expect(market!.spec.fundingHours).toBe(8);
  expect(infos(run).at(-1)?.infos).toMatchObject([{ mark: 1_010, index: 1_010, fundingRate: 0.0001, nextFunding: START + HOUR }]);
  expect(library.calls).not.toContain('fetchFundingRates');
  expect(run.feed.quality).toMatch(/mark and index price every 2 s; funding rates\./);
});

test('an interval of funding that is not stated is assumed, which is said', async () => {
  const library = new FakeLibrary();
  library.has = { ...library.has, fetchFundingRate: true };
  library.funding = (symbol) => ({ symbol, markPrice: 101, fundingRate: 0.0008 });
  const run = await opened(library, { markets: ['BTC/USD:USD'] });
  expect(run.feed.markets[0]!.spec.fundingHours).toBe(8);
  expect(run.feed.quality).toMatch(
    /Assumed: BTC\/USD:USD has the margins of 50x leverage; BTC\/USD:USD pays funding every 8 hours, as its interval is not stated\./,
  );
});

test('the polls of one market fit the exchange’s limit, of which a book takes what it costs', async () => {
  const library = new FakeLibrary();
  library.rateLimit = 500; // 1.6 units a second are used; a book costs 2, trades 1
  const run = await opened(library);
  expect(run.feed.polls?.intervals).toMatchObject({ orderBookMs: 1_563, tradesMs: 3_122, liveMs: 2_000, requestsPerSecond: 1.6 });
  library.calls.length = 0;
  await seconds(run, 60);
  const count = (call: string) => library.calls.filter((made) => made.startsWith(call)).length;
  expect(2 * count('fetchOrderBook') + count('fetchTrades')).toBeLessThanOrEqual(60 * 1.6 + 3);
  expect(count('fetchOrderBook')).toBeGreaterThan(35);
});

test('a start waits for an exchange that does not answer, and ends at once for a market that is refused', async () => {
  const library = new FakeLibrary();
  let failures = 2;
  library.book = () => {
    if (failures-- > 0) throw new Temporary('maintenance');
    return { bids: [[100, 1]], asks: [[101, 1]] };
  };
  const run = await opened(library);
  expect(run.feed.markets.map(({ symbol }) => symbol)).toEqual(['BTC/USD']);
  await expect(opened(new FakeLibrary(), { markets: ['BTC/USDD'] })).rejects.toThrow('okx has no market "BTC/USDD"');
  await expect(opened(new FakeLibrary(), { markets: ['BTCUSD'] })).rejects.toMatchObject({
    hint: expect.stringMatching(/^did you mean "BTC\/USD:USD" or "BTC\/USD"\?/),
  });
  const gone = new FakeLibrary();
  gone.book = () => {
    throw new Temporary('maintenance');
  };
  await expect(opened(gone)).rejects.toThrow(/connecting to ccxt:okx failed for 5 s; the last reason: the book of BTC\/USD: maintenance/);
});

test('a tick that the exchange changes is noticed at the next reading of the listing', async () => {
  const library = new FakeLibrary();
  const run = await opened(library);
  library.markets = { 'BTC/USD': { ...library.markets['BTC/USD'], precision: { price: 0.01, amount: 0.0001 } } };
  await seconds(run, 300);
  expect(listingFaults(run)).toEqual([]);
  await seconds(run, 330);
  expect(listingFaults(run).map(({ reason }) => reason)).toEqual([
    'the exchange has changed priceDecimals of BTC/USD from 1 to 2: restart the bot to use the new value',
  ]);
  expect(library.calls.filter((call) => call === 'loadMarkets')).toHaveLength(2);
});

test('candles are read in pages of the exchange’s length, without the running one', async () => {
  const library = new FakeLibrary();
  library.has = { ...library.has, fetchOHLCV: true };
  const MINUTE = 60_000;
  library.candles = (since, limit) =>
    Array.from({ length: limit }, (_, at) => [since + at * MINUTE, 100, 102, 99, 101, 5]).filter(([time = 0]) => time <= START);
  const { feed } = await opened(library);
  const past = await feed.history({ market: feed.markets[0]!, span: MINUTE, count: 7, until: START + 1_000 });
  expect(past.span).toBe(MINUTE);
  expect(past.candles.map(({ start }) => (start - START) / MINUTE)).toEqual([-7, -6, -5, -4, -3, -2, -1]);
  expect(past.candles[0]).toMatchObject({ open: 1_000, high: 1_020, low: 990, close: 1_010, volume: 50_000 });
  expect(library.calls.filter((call) => call.startsWith('fetchOHLCV'))).toHaveLength(3);
});
