// The public data of Hyperliquid as the kit reads it.
import type { Clock, Millis } from '../../base/clock.ts';
import { validated } from '../../base/transport/json-request.ts';
import { resolutionText } from '../../bot/domain/candle.ts';
import type { Market, MarketKind } from '../../bot/domain/market.ts';
import type { PublicClient, VenueClock } from '../../bot/exchange/kit/venue-client.ts';
import type { CandleRequest, PastCandles } from '../../bot/exchange/port.ts';
import { candlesToRequest } from '../shared/candles-to-request.ts';
import { ExchangeTime } from '../shared/exchange-time.ts';
import type { AskInfo } from './requests.ts';
import { HYPERLIQUID_EXCHANGE } from './rules.ts';
import * as shapes from './shapes.ts';
import { bookOf, candlesOf, coinOf, infosOf, listingOf, spotInfosOf, tradeOf } from './snapshots.ts';

export interface HyperliquidPublicOptions {
  readonly ask: AskInfo;
  readonly clock: Clock;
  /** One is made if it is absent. */
  readonly nonceClock?: NonceClock | undefined;
}

export interface NonceClock extends VenueClock {
  /** The exchange's time now in milliseconds, counted on from the newest reading; our time before the first one. */
  now(): Millis;
}

export function hyperliquidData({ ask, clock, nonceClock = nonceClockOf(ask, clock) }: HyperliquidPublicOptions): PublicClient & {
  readonly clock: NonceClock;
} {
  return {
    ...HYPERLIQUID_EXCHANGE,
    clock: nonceClock,
    listing: async () => {
      const perps = await ask('meta', { shape: shapes.meta });
      const spot = await ask('spotMeta', { shape: shapes.spotMeta });
      return validated('the listing', () => listingOf(perps, spot));
    },
    async book(market) {
      const row = await ask('l2Book', { shape: shapes.book, mismatchIn: (found) => ofCoin(market)([found]) }, { coin: coinOf(market) });
      return validated('a book', () => bookOf(market, row));
    },
    async live(markets) {
      const [perps, spots] = [ofKind(markets, 'perp'), ofKind(markets, 'spot')];
      const rows = perps.length === 0 ? undefined : await ask('metaAndAssetCtxs', { shape: shapes.metaAndContexts });
      const mids = spots.length === 0 ? {} : await ask('allMids', { shape: shapes.mids });
      return validated('the prices', () => [
        ...(rows === undefined ? [] : infosOf(perps, rows, nonceClock.now())),
        ...spotInfosOf(spots, mids),
      ]);
    },
    trades: (market) => ({
      what: 'POST /info recentTrades',
      async *pages() {
        const rows = await ask('recentTrades', { shape: shapes.trades, mismatchIn: ofCoin(market) }, { coin: coinOf(market) });
        yield validated('the trades', () => rows.map((row) => tradeOf(market, row)));
      },
    }),
    candles: (asked) => pastCandles(ask, asked),
  };
}

export const ofKind = (markets: readonly Market[], kind: MarketKind): readonly Market[] => markets.filter(({ spec }) => spec.kind === kind);

/** An answer about another coin belongs to another request. */
const ofCoin =
  (market: Market) =>
  (rows: readonly { readonly coin: string }[]): string | undefined => {
    const other = rows.find(({ coin }) => coin !== coinOf(market));
    return other && `the answer about the coin ${other.coin}`;
  };

async function pastCandles(ask: AskInfo, wanted: CandleRequest): Promise<PastCandles> {
  const { market, until } = wanted;
  const { length, startTime } = candlesToRequest(wanted);
  const req = { coin: coinOf(market), interval: resolutionText(length), startTime, endTime: until };
  const mismatchIn = (found: readonly { readonly s: string }[]) => ofCoin(market)(found.map(({ s: coin }) => ({ coin })));
  const rows = await ask('candleSnapshot', { shape: shapes.candles, mismatchIn }, { req });
  return { span: length, candles: validated('candles', () => candlesOf(market, rows, { span: length, until })) };
}

export function nonceClockOf(ask: AskInfo, clock: Clock): NonceClock {
  /** The exchange's time less ours, without the jumps of ours. */
  let lead: Millis = 0;
  const time = new ExchangeTime({
    clock,
    async readSeconds() {
      const steady = clock.now() - clock.skipped();
      const status = await ask('exchangeStatus', { shape: shapes.status });
      lead = status.time - steady;
      return Math.floor(status.time / 1_000);
    },
  });
  return {
    read: () => time.read(),
    latest: () => time.latest(),
    now: () => clock.now() - clock.skipped() + lead,
  };
}
