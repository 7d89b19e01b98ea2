// The public data of the local process as the kit reads it, and the names of its markets.

import { type Clock, MINUTE } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { PublicClient } from '../../bot/exchange/kit/venue-client.ts';
import type { AdapterLog, CandleRequest, PastCandles } from '../../bot/exchange/port.ts';
import { type LocalClient } from '../client/local/client.ts';
import { candlesToRequest } from '../shared/candles-to-request.ts';
import { firstPage } from '../shared/cursor-pages.ts';
import { tradesWithoutIds } from '../shared/pages-without-ids.ts';
import { FUNDING_EVERY, LocalFunding } from './funding.ts';
import { DEPTH, type LocalListedMarket, type LocalListing, type LocalListingOptions, listingOf } from './listing.ts';
import { LOCAL_PROCESS } from './rules.ts';
import { bookOf, candlesOf, infosOf, tradeOf } from './snapshots.ts';

/** Each read of candles covers the newest four hours. */
const MINUTES_READ = 240;

export interface LocalVenueOptions extends Pick<LocalListingOptions, 'symbols' | 'decimals'> {
  readonly client: LocalClient;
  readonly clock: Clock;
  readonly log: AdapterLog;
}

/** The client of the public data, with what the client of the account needs of the listing. */
export interface LocalMarkets {
  readonly data: PublicClient;
  /** Returns the newest listing. */
  readonly listing: () => LocalListing & { readonly funding: LocalFunding };
  readonly listedAs: (market: Pick<Market, 'id'>) => LocalListedMarket;
}

/** Returns the client for the markets of these symbols. */
export function localMarkets({ client, clock, log, ...wanted }: LocalVenueOptions): LocalMarkets {
  let found: ReturnType<LocalMarkets['listing']> | undefined;
  const listing: LocalMarkets['listing'] = () => {
    assert(found !== undefined, 'the markets are not listed yet');
    return found;
  };
  const listedAs: LocalMarkets['listedAs'] = ({ id }) => listing().listed.find(({ market }) => market.id === id)!;
  const data: PublicClient = {
    ...LOCAL_PROCESS,
    async listing() {
      const read = await listingOf(client, { ...wanted, log });
      found = { ...read, funding: new LocalFunding({ client, clock, listed: read.listed }) };
      return { markets: read.listed.map(({ market }) => market), tokens: read.tokens.all };
    },
    changesOf: (markets) => () => kindChanges(client, markets.map(listedAs)),
    book: async (market) => bookOf(market, await client.orderbook({ market: listedAs(market).name, depth: DEPTH })),
    live: async (markets) => infosOf(markets.map(listedAs), await client.markets(), listing().funding),
    trades(market) {
      const one = listedAs(market);
      return tradesWithoutIds({
        what: 'GET /markets/…/trades',
        rows: () => client.trades({ market: one.name }),
        contentOf: ({ time, side, price, size, liquidation }) => [one.name, Date.parse(time), side, price, size, liquidation].join('|'),
        map: (row, tradeId) => tradeOf(one, row, tradeId),
        isNewestPageOnly: true,
      });
    },
    candles: (asked) => pastCandles(asked, { client, one: listedAs(asked.market) }),
    async minutes(market) {
      const span = { startTime: clock.now() - MINUTES_READ * MINUTE, endTime: clock.now() + MINUTE };
      const one = listedAs(market);
      return candlesOf(one, (await firstPage(client.candles({ market: one.name, resolution: MINUTE / 1_000, ...span }))) ?? []);
    },
    refresh: { everyMs: FUNDING_EVERY, ask: () => listing().funding.refresh() },
  };
  return { data, listing, listedAs };
}

/** Returns the markets whose type has changed since the start. */
async function kindChanges(client: LocalClient, listed: readonly LocalListedMarket[]): Promise<ReadonlyMap<number, string>> {
  const rows = await client.markets();
  return new Map(
    listed.flatMap(({ name, market }) => {
      const type = rows.find((row) => row.name === name)?.type;
      if (type === undefined || (type === 'future') === (market.spec.kind === 'perp')) return [];
      return [[market.id, `the process lists ${name} as ${type} now: restart the bot to trade it as its new kind`] as const];
    }),
  );
}

/** Reads candles of the longest available length that divides the requested one. */
async function pastCandles(
  wanted: CandleRequest,
  { client, one }: { readonly client: LocalClient; readonly one: LocalListedMarket },
): Promise<PastCandles> {
  const { until } = wanted;
  const { length: span, startTime } = candlesToRequest(wanted);
  const rows = [];
  // One candle more than wanted, so that the last one is listed however a server reads `endTime`.
  for await (const page of client.candles({ market: one.name, resolution: span / 1_000, startTime, endTime: until + span }))
    rows.push(...page);
  return { span, candles: candlesOf(one, rows).filter(({ start }) => start + span <= until) };
}
