// The public data of an exchange over ccxt, as the kit polls it.
import { type Clock, HOUR, MINUTE, type Millis } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import { validated } from '../../base/transport/json-request.ts';
import type { Book } from '../../bot/domain/book.ts';
import { type Candle, resolutionText } from '../../bot/domain/candle.ts';
import type { LiveInfo } from '../../bot/domain/event.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Trade } from '../../bot/domain/order.ts';
import { changesIn } from '../../bot/exchange/kit/listing.ts';
import type { PublicClient, TradePages, Unnumbered } from '../../bot/exchange/kit/venue-client.ts';
import type { CandleRequest, PastCandles } from '../../bot/exchange/port.ts';
import { CANDLE_LENGTHS, candlesToRequest } from '../shared/candles-to-request.ts';
import { candleIn, sideOf } from '../shared/convert.ts';
import { tradesWithoutIds } from '../shared/pages-without-ids.ts';
import { levelsOf, ticksNear, ticksOf } from '../shared/validate.ts';
import { type BookRow, type CandleRow, type CcxtAnswers, type FundingRow, hintFor, midIn, type TradeRow } from './answers.ts';
import { hoursOf, marketIn, pollLimits, type SeenMarket } from './first-look.ts';
import { candlesAPage, unitOf } from './markets.ts';

export interface CcxtClientOptions {
  readonly answers: CcxtAnswers;
  readonly clock: Clock;
  readonly markets: readonly SeenMarket[];
}

/** How often the listing is read again: it is one of the largest answers of an exchange. */
const LISTING_EVERY: Millis = 10 * MINUTE;

/** The client of these markets only. */
export function ccxtClient({ answers, clock, markets: seen }: CcxtClientOptions): PublicClient {
  const markets = seen.map(({ market }) => market);
  const of = ({ id }: Market): SeenMarket => seen.find(({ market }) => market.id === id)!;
  const mids = new Map<MarketId, number | undefined>(seen.map(({ market, mid }) => [market.id, mid]));
  const client: PublicClient = {
    name: `ccxt:${answers.exchange.id}`,
    rules: {
      orderLife: 60,
      answerTimeoutMs: 10_000,
      listingLagMs: 2_000,
      revision: 'content',
      maxUnchangedMs: 10_000,
      polling: pollLimits(answers),
    },
    hintFor,
    listing: async () => ({ markets, tokens: seen.flatMap(({ tokens }) => tokens) }),
    changesOf: () => changesSince(markets, { answers, clock }),
    async book(market) {
      const one = of(market);
      const row = await answers.book(one.name, one.depth);
      const mid = midIn(row);
      if (mid !== undefined) mids.set(market.id, mid);
      return validated('a book', () => bookOf(one, row));
    },
    async live(wanted) {
      const ones = wanted.map(of);
      const names = ones.filter(({ hasMark, hasFunding }) => hasMark || hasFunding).map(({ name }) => name);
      const rows = names.length === 0 ? undefined : await answers.funding(names);
      return validated('the prices', () =>
        ones.map((one) => infoOf(one, rows?.get(one.name), { mid: mids.get(one.market.id), now: clock.now() })),
      );
    },
    trades: (market) => tradesOf(answers, of(market)),
  };
  return lengthsOf(answers).length === 0
    ? client
    : { ...client, candles: (asked) => answers.throttled(() => candlesOf(answers, of(asked.market), asked)) };
}

/** Returns a function that reads the listing again now and then, and returns what has changed in it since the start. */
function changesSince(
  markets: readonly Market[],
  { answers, clock }: Pick<CcxtClientOptions, 'answers' | 'clock'>,
): () => Promise<ReadonlyMap<MarketId, string>> {
  let readAt = clock.now();
  let changes: ReadonlyMap<MarketId, string> = new Map();
  return async () => {
    if (clock.now() < readAt + LISTING_EVERY) return changes;
    const all = await answers.throttled(() => answers.markets());
    const still = markets.filter(({ symbol }) => Object.hasOwn(all, symbol));
    const now = still.map((market) => marketIn(answers, all, { id: market.id, name: market.symbol, ...hoursOf(market) }).market.spec);
    changes = changesIn(markets, now);
    readAt = clock.now();
    return changes;
  };
}

/** Sizes are rounded down to lots, which may be coarser than the exchange's; levels without a lot are left out. */
function bookOf({ market, unit }: SeenMarket, { bids, asks }: BookRow): Unnumbered<Book> {
  const side = (levels: BookRow['bids']) =>
    levelsOf(
      market,
      levels
        .map(([price, amount]) => [price, market.size(market.wholeLots(unit.books.times(amount).toNumber()))] as const)
        .filter(([, size]) => size > 0),
    );
  return { market: market.id, bids: side(bids), asks: side(asks) };
}

/** The middle of the book counts as the mark and index price of a market without them. */
function infoOf(
  { market, isActive }: SeenMarket,
  row: FundingRow | undefined,
  { mid, now }: { mid: number | undefined; now: Millis },
): LiveInfo {
  const mark = row?.markPrice ?? row?.indexPrice ?? mid;
  const index = row?.indexPrice ?? mark;
  const { fundingHours = 1 } = market.spec;
  const rate = row?.fundingRate ?? undefined;
  return {
    market: market.id,
    mark: mark === undefined ? undefined : ticksNear(market, mark),
    index: index === undefined ? undefined : ticksNear(market, index),
    frozen: !isActive,
    ...(rate !== undefined && {
      fundingRate: rate / fundingHours,
      nextFunding: nextFundingIn(row, { now, withinMs: fundingHours * HOUR }),
    }),
  };
}

/**
 * Returns the time of the next payment; undefined if it is not known. Exchanges state it in one or the other of two fields: it is the one that lies within an
 * interval from now, with a minute of tolerance for our clock.
 */
const nextFundingIn = (row: FundingRow | undefined, { now, withinMs }: { now: Millis; withinMs: Millis }): Millis | undefined =>
  [row?.fundingTimestamp, row?.nextFundingTimestamp].find(
    (time): time is Millis => typeof time === 'number' && time > now && time <= now + withinMs + MINUTE,
  );

/** The newest page only: of a busy market, older trades than that are missed. */
function tradesOf(answers: CcxtAnswers, one: SeenMarket): TradePages<Trade> {
  const what = `the trades of ${one.name}`;
  const newestFirst = async (): Promise<readonly TradeRow[]> =>
    typeof one.trades === 'number' ? (await answers.trades(one.name)).toReversed() : [];
  const pages: TradePages<Trade> = one.hasTradeIds
    ? {
        what,
        async *pages() {
          const rows = await newestFirst();
          yield validated('the trades', () => rows.map((row) => tradeOf(one, row, row.id ?? '')));
        },
      }
    : tradesWithoutIds({
        what,
        async *rows() {
          yield (await newestFirst()).map((row) => ({ ...row, time: timeText(row.timestamp) }));
        },
        contentOf: ({ timestamp, side, price, amount }) => [timestamp, side, price, amount].join('|'),
        map: (row, tradeId) => tradeOf(one, row, tradeId),
        isNewestPageOnly: true,
      });
  return {
    ...pages,
    async *pages(since) {
      for await (const page of pages.pages(since)) yield page.filter(({ size }) => size > 0);
    },
  };
}

const tradeOf = ({ market, unit }: SeenMarket, { side, price, amount, timestamp }: TradeRow, tradeId: string): Trade => ({
  tradeId,
  market: market.id,
  takerSide: sideOf(side),
  price: ticksOf(market, price),
  size: market.wholeLots(unit.trades.times(amount).toNumber()),
  time: timestamp,
});

function lengthsOf(answers: CcxtAnswers): readonly Millis[] {
  const { timeframes = {} } = answers.exchange;
  return answers.has('fetchOHLCV') && Object.hasOwn(timeframes, '1m')
    ? CANDLE_LENGTHS.filter((span) => Object.hasOwn(timeframes, resolutionText(span)))
    : [];
}

async function candlesOf(answers: CcxtAnswers, one: SeenMarket, wanted: CandleRequest): Promise<PastCandles> {
  const { until } = wanted;
  const { length, startTime } = candlesToRequest(wanted, lengthsOf(answers));
  const limit = candlesAPage(answers.exchange.features, one);
  const found = new Map<Millis, Candle>();
  for (let since = startTime; since + length <= until; ) {
    const rows = await answers.candles(one.name, { length: resolutionText(length), since, limit });
    const ended = rows.filter(([start]) => start >= since && start % length === 0 && start + length <= until);
    for (const row of ended) {
      const candle = validated('candles', () => candleOf(one, row, unitOf(answers.exchange.id, one, 'candles')));
      if (candle !== undefined) found.set(candle.start, candle);
    }
    const last = ended.at(-1)?.[0];
    if (last === undefined) break;
    since = last + length;
  }
  return { span: length, candles: [...found.values()] };
}

/** Returns a candle; undefined if a price is missing. The volume is left out if its unit is not known. */
function candleOf(
  { market, contractSize }: SeenMarket,
  [start, open, high, low, close, amount]: CandleRow,
  unit: ReturnType<typeof unitOf>,
): Candle | undefined {
  if (typeof open !== 'number' || typeof high !== 'number' || typeof low !== 'number' || typeof close !== 'number') return undefined;
  const candle = candleIn(market, { start, open, high, low, close });
  if (unit === undefined || typeof amount !== 'number') return candle;
  return { ...candle, volume: market.wholeLots(unit === 'tokens' ? amount : amount * Number(contractSize)) };
}
