// The first request for each kind of data. The answers show what an exchange has and what a request costs, which decides how often it may be polled.

import type { Millis } from '../../base/clock.ts';
import { assert, UserError } from '../../base/errors.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Retry } from '../../bot/exchange/kit/start-retries.ts';
import type { Polling, PollLimits } from '../../bot/exchange/kit/streams/polling.ts';
import {
  type BookRow,
  type CcxtAnswers,
  type FundingRow,
  type Listed,
  lastingReason,
  midIn,
  type Polled,
  type TradeRow,
} from './answers.ts';
import { type PaperMarket, paperMarketIn } from './listing.ts';

/** A market, and what the first answers have shown of it. */
export interface SeenMarket extends PaperMarket {
  /** The depth of the book that is asked for; undefined for the exchange's own. */
  readonly depth: number | undefined;
  /** Levels of a side in the first book. */
  readonly levels: number;
  /** The middle of the first book. */
  readonly mid: number | undefined;
  /** The number of trades in one answer, or why there are none. */
  readonly trades: number | { readonly refused: string };
  readonly hasTradeIds: boolean;
  /** True if mark and index price are those of the exchange, and not the middle of the book. */
  readonly hasMark: boolean;
  readonly hasFunding: boolean;
}

/** Depths that are tried in turn, because some exchanges take certain ones only. */
const DEPTHS = [50, 20, 100] as const;
/** The intervals of polls if the exchange's limit allows them. */
const WANTED = { orderBookMs: 500, tradesMs: 1_000, liveMs: 2_000 } as const;
/** The longest intervals: by default, books older than 3 s and prices older than 5 s are not traded on (`limits.data-age`). */
const LONGEST = { orderBookMs: 2_500, tradesMs: 10_000, liveMs: 4_000 } as const;
/** The share of the exchange's limit that is used. Other programs at the same address need some of it. */
const SHARE = 0.8;
/** The usual hours between two payments of funding, if the exchange does not state them. */
const FUNDING_HOURS = 8;

/**
 * Requests each kind of data once for each market, and returns what the answers show. Rejects with a UserError for a market that is not listed, that
 * cannot be traded on paper, or that has no book.
 */
export async function look(
  answers: CcxtAnswers,
  { names, retry }: { names: readonly string[]; retry: Retry },
): Promise<readonly SeenMarket[]> {
  const all = await retry(() => answers.markets());
  const seen: SeenMarket[] = [];
  for (const [id, name] of names.entries()) seen.push(await lookAt(answers, { all, id, name, retry }));
  const withRates = seen.filter(({ hasMark, hasFunding }) => hasMark || hasFunding).map(({ name }) => name);
  // Measures what one request for all markets costs: that is what the polls will send.
  if (withRates.length > 1) await retry(() => answers.measured('live', () => answers.funding(withRates)));
  return seen;
}

interface Looking {
  readonly all: Listed;
  readonly id: number;
  readonly name: string;
  readonly retry: Retry;
}

async function lookAt(answers: CcxtAnswers, { all, id, name, retry }: Looking): Promise<SeenMarket> {
  // The first market is made for its kind, and for the error if it cannot be traded. The second one, below, has the hours between payments.
  const { kind } = marketIn(answers, all, { id, name });
  const row = kind === 'perp' && answers.hasFunding ? await fundingOf(answers, name, retry) : undefined;
  const hasFunding = typeof row?.fundingRate === 'number';
  const [, hours] = /^(\d+)h$/.exec(row?.interval ?? '') ?? [];
  const found = marketIn(answers, all, { id, name, ...(hasFunding && { fundingHours: Number(hours ?? FUNDING_HOURS) }) });
  const trades = await tradesOf(answers, name, retry);
  return {
    ...found,
    ...(await bookOf(answers, found, retry)),
    trades: 'refused' in trades ? trades : trades.length,
    hasTradeIds: !('refused' in trades) && trades.length > 0 && trades.every((trade) => (trade.id ?? '') !== ''),
    hasMark: typeof row?.markPrice === 'number' || typeof row?.indexPrice === 'number',
    hasFunding,
    assumed: [
      ...found.assumed,
      ...(hasFunding && hours === undefined ? [`${name} pays funding every ${FUNDING_HOURS} hours, as its interval is not stated`] : []),
    ],
  };
}

export function marketIn(
  { exchange }: Pick<CcxtAnswers, 'exchange'>,
  all: Listed,
  { name, ...terms }: { readonly id: number; readonly name: string; readonly fundingHours?: number | undefined },
): PaperMarket {
  return paperMarketIn(all, name, { ...terms, exchange: exchange.id, precisionMode: exchange.precisionMode });
}

async function bookOf(
  answers: CcxtAnswers,
  { name, market }: PaperMarket,
  retry: Retry,
): Promise<Pick<SeenMarket, 'depth' | 'levels' | 'mid'>> {
  if (!answers.has('fetchOrderBook'))
    throw new UserError({
      code: 'exchange',
      message: `${answers.exchange.id} shows no order books through ccxt`,
      hint: 'choose another exchange',
    });
  const ask = (depth: number | undefined) => answers.measured('orderBook', () => answers.book(name, depth));
  for (const depth of [...DEPTHS, undefined]) {
    // If a depth is refused for good, the next is tried. The last try, without a depth, throws.
    const book = await retry(() => (depth === undefined ? ask(depth) : ask(depth).catch(lastingReason)));
    if ('refused' in book) continue;
    requireOnTick(market, book);
    return { depth, levels: Math.max(book.bids.length, book.asks.length), mid: midIn(book) };
  }
  assert(false, 'unreachable: the last depth either answers or throws');
}

/** Throws a UserError if the tick that ccxt states is not that of the prices: with it no book could be read. */
function requireOnTick(market: Market, { bids, asks }: BookRow): void {
  const off = [...bids, ...asks].find(([price]) => market.ticksOf(price) === undefined)?.[0];
  if (off === undefined) return;
  const { priceDecimals, priceStep = 1 } = market.spec;
  throw new UserError({
    code: 'market',
    message: `the book of ${market.symbol} has the price ${off}, which is no multiple of ${priceStep / 10 ** priceDecimals}, the tick that ccxt states`,
    hint: 'choose another market, or another exchange',
  });
}

async function tradesOf(answers: CcxtAnswers, name: string, retry: Retry): Promise<readonly TradeRow[] | { readonly refused: string }> {
  if (!answers.has('fetchTrades')) return { refused: 'ccxt has no request for them' };
  return retry(() => answers.measured('trades', () => answers.trades(name)).catch(lastingReason));
}

async function fundingOf(answers: CcxtAnswers, name: string, retry: Retry): Promise<FundingRow | undefined> {
  const rows = await retry(() => answers.measured('live', () => answers.funding([name])).catch(lastingReason));
  return 'refused' in rows ? undefined : rows.get(name);
}

/**
 * Returns the intervals of the polls of one market, and the request budget. If the limit is too low for the wanted intervals, those of books and prices are
 * stretched by one factor. Trades get the rest of the limit, because without fresh books and prices nothing is traded.
 */
export function pollLimits({ exchange, costs }: Pick<CcxtAnswers, 'exchange' | 'costs'>): PollLimits {
  const weights = { ...costs, account: 0, fills: 0, time: 0 }; // a paper run has no account, and the exchange's time is not read
  const { rateLimit, enableRateLimit } = exchange;
  if (!enableRateLimit || typeof rateLimit !== 'number' || rateLimit <= 0) return { ...WANTED, weights };
  const units = (SHARE * 1_000) / rateLimit;
  const perSecond = (kind: Polled, everyMs: Millis): number => (costs[kind] * 1_000) / everyMs;
  const needed = perSecond('orderBook', WANTED.orderBookMs) + perSecond('trades', WANTED.tradesMs) + perSecond('live', WANTED.liveMs);
  const stretched = (ms: Millis): Millis => Math.ceil(ms * Math.max(1, needed / units));
  const orderBookMs = Math.min(stretched(WANTED.orderBookMs), LONGEST.orderBookMs);
  const liveMs = costs.live === 0 ? WANTED.liveMs : Math.min(stretched(WANTED.liveMs), LONGEST.liveMs);
  const left = units - perSecond('orderBook', orderBookMs) - perSecond('live', liveMs);
  const fitting = left <= 0 ? LONGEST.tradesMs : Math.ceil((costs.trades * 1_000) / left);
  const tradesMs = Math.min(Math.max(WANTED.tradesMs, fitting), LONGEST.tradesMs);
  return { orderBookMs, tradesMs, liveMs, requestsPerSecond: units, weights };
}

const seconds = (ms: Millis): string => `${Number((ms / 1_000).toFixed(1))} s`;

/** Says what the data of these markets is worth, as sentences. */
export function qualityOf(markets: readonly SeenMarket[], { orderBookMs, tradesMs, liveMs }: Polling): string {
  const noTrades = markets.flatMap(({ trades }) => (typeof trades === 'number' ? [] : [trades.refused]))[0];
  const perps = markets.filter(({ kind }) => kind === 'perp');
  const polled = [
    `order books every ${seconds(orderBookMs)}, ${Math.min(...markets.map(({ levels }) => levels))} levels a side`,
    noTrades === undefined
      ? `trades every ${seconds(tradesMs)}, at most the newest ${Math.max(...markets.map(({ trades }) => Number(trades)))}`
      : `no public trades (${noTrades})`,
    perps.length > 0 && perps.every(({ hasMark }) => hasMark)
      ? `mark and index price every ${seconds(liveMs)}`
      : 'no mark price: the middle of the book counts as one',
    ...(perps.length === 0 ? [] : [perps.every(({ hasFunding }) => hasFunding) ? 'funding rates' : 'no funding']),
  ];
  const limits = [
    'What happens between two polls is not seen, places in queues are estimated, and books have the time of this machine.',
    ...(noTrades === undefined ? [] : ['Without trades, a resting order fills only when the book crosses its price.']),
  ];
  const assumed = markets.flatMap((market) => market.assumed);
  if (assumed.length > 0) limits.push(`Assumed: ${assumed.join('; ')}.`);
  return `polled: ${polled.join('; ')}. ${limits.join(' ')}`;
}

/** The hours between two payments, as assumed or stated at the start. */
export const hoursOf = ({ spec }: Market): { readonly fundingHours?: number | undefined } =>
  spec.fundingHours === undefined ? {} : { fundingHours: spec.fundingHours };
