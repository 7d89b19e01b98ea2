// Records a tape of one market of the embedded exchange from a seed, with every change, as fast as possible.

import type { Millis } from '../../base/clock.ts';
import { assert, UserError } from '../../base/errors.ts';
import { suggestion } from '../../base/text/phrases.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Market, MarketSpec } from '../../bot/domain/market.ts';
import { Exchange } from '../exchange/exchange.ts';
import type { SimTrade } from '../exchange/history/trades.ts';
import { STEP } from '../exchange/rules/step.ts';
import { LISTED_MARKETS, listedAs } from '../exchange/state/listing.ts';
import { flowOf } from '../exchange/traders/flow.ts';
import type { Regime } from '../exchange/traders/regimes.ts';
import { STAMPS_PER_MILLI } from '../rows/rows.ts';
import type { TapeHeader } from '../tape/header.ts';
import type { TapeFacts, TapeWriter } from '../tape/writer.ts';
import { createTape } from '../tape/writer.ts';
import { FUNDING_INTERVAL, fundingOf, MarketRows, type When } from './market-rows.ts';

export interface RecordEmbeddedOptions {
  readonly seed: string;
  /** How the market moves. */
  readonly regime?: Regime | undefined;
  /** Symbol of the market. */
  readonly market: string;
  readonly spanMs: Millis;
  /** Output file; no other process may be writing it. */
  readonly out: string;
  /** The command line, kept in the header. */
  readonly command: string;
  /** Called with the fraction that is done. */
  readonly progress?: ((share: number) => void) | undefined;
}

const SOURCE = 'the embedded exchange, every step of 100 ms';
/** A fixed start, so that one seed always gives the same tape, byte for byte. */
const START: Millis = Date.parse('2026-01-05T00:00:00Z');
/** The exchange's traders run for this long before the tape begins. */
const WARM_UP: Millis = 30_000;
/** Simulated time between two rows of mark and index prices, and between two progress reports. */
const PRICES_EVERY: Millis = 1_000;

/** Throws a UserError if there is no such market, or the file cannot be written or exists and is not such a recording of this market. */
export async function recordEmbedded({
  seed,
  regime,
  market: symbol,
  spanMs,
  out,
  command,
  progress,
}: RecordEmbeddedOptions): Promise<TapeFacts> {
  const spec = specOf(symbol);
  const exchange = new Exchange({ seed, markets: listedAs([symbol]), flow: flowOf(regime), start: START - WARM_UP }); // what one market does depends on no other
  const market = exchange.markets[0]!;
  exchange.advanceTo(START);
  const { index } = liveOf(exchange, market.id);
  assert(index !== undefined, `the embedded market ${symbol} has no index`);
  const header: TapeHeader = {
    market: spec,
    basePrice: market.price(index),
    source: SOURCE,
    books: 'changes',
    ...fundingOf(spec),
    made: { command, seed },
  };
  const mayReplace = (old: TapeHeader): boolean => old.source === SOURCE && old.market.symbol === symbol;
  const tape = await createTape(out, header, { mayReplace, exclusive: true });
  try {
    await follow(exchange, market, { tape, until: START + spanMs, progress });
    return await tape.close();
  } catch (error) {
    await tape.abort();
    throw error;
  }
}

interface Following {
  readonly tape: TapeWriter;
  readonly until: Millis;
  readonly progress: ((share: number) => void) | undefined;
}

async function follow(exchange: Exchange, market: Market, { tape, until, progress }: Following): Promise<void> {
  const rows = new MarketRows((row) => tape.add(row));
  let paid = paidIn(exchange, market.id);
  for (let now = START; now <= until; now += STEP) {
    exchange.advanceTo(now);
    const when: When = { time: now * STAMPS_PER_MILLI, lag: 0 };
    const isHour = now % FUNDING_INTERVAL === 0 && now > START;
    if (isHour) rows.settlement((paidIn(exchange, market.id) - paid) / market.price(indexOf(exchange, market.id)), when);
    if (isHour) paid = paidIn(exchange, market.id);
    for (const trade of tradesAt(exchange, market.id, now)) rows.trade(trade, when);
    const book = exchange.book(market.id);
    if (book !== undefined) rows.book(book, when);
    if (now % PRICES_EVERY !== 0) continue;
    rows.info(liveOf(exchange, market.id), when);
    progress?.((now - START) / (until - START));
    await tape.flush();
  }
}

/** Returns the trades of one step, oldest first. */
function tradesAt(exchange: Exchange, marketId: MarketId, now: Millis): readonly SimTrade[] {
  const trades: SimTrade[] = [];
  for (let startInclusive: string | undefined; ; ) {
    const page = exchange.trades({ marketId, since: now, startInclusive });
    trades.push(...page.items);
    if (page.nextStartInclusive === undefined) return trades.reverse();
    startInclusive = page.nextStartInclusive;
  }
}

function liveOf(exchange: Exchange, market: MarketId) {
  const live = exchange.live(market);
  assert(live !== undefined, `no market ${market}`);
  return live;
}

function indexOf(exchange: Exchange, market: MarketId) {
  const { index } = liveOf(exchange, market);
  assert(index !== undefined, `market ${market} has no index`);
  return index;
}

/** Returns the funding that a long of one base token has paid so far, in quote tokens. */
const paidIn = (exchange: Exchange, market: MarketId): number => exchange.stats(market)?.aggregatedFundingIndex ?? 0;

function specOf(symbol: string): MarketSpec {
  const known = LISTED_MARKETS.map(({ spec }) => spec.symbol);
  const listed = LISTED_MARKETS.find(({ spec }) => spec.symbol === symbol);
  if (listed !== undefined) return listed.spec;
  throw new UserError({ code: 'market', message: `the embedded exchange has no market "${symbol}"`, hint: suggestion(symbol, known) });
}
