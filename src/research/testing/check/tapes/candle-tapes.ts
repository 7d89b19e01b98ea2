// Random walks as tapes of candles, long enough for the history that a strategy asks for.
import { HOUR, type Millis } from '../../../../base/clock.ts';
import { rngFrom } from '../../../../base/rng.ts';
import { Market, type MarketSpec } from '../../../../bot/domain/market.ts';
import { ticks } from '../../../../bot/domain/numbers.ts';
import type { Params, Strategy } from '../../../../bot/strategy/contract.ts';
import { everyOf, historyOf } from '../../../../bot/strategy/schedule.ts';
import { codeOf, type RowKind, STAMPS_PER_MILLI } from '../../../../embedded/rows/rows.ts';
import type { Tape } from '../../../../embedded/tape/reader.ts';
import { MemoryRows } from '../../memory-tape.ts';

/** Midnight, so that candles of every resolution begin with the tape. */
export const START = Date.UTC(2026, 0, 5);
/** Standard deviation of the return of an hour. */
const HOURLY = 0.006;
/** Independent moves within a candle, from which its high and low are taken. */
const MOVES = 20;
/** Candles after the history. */
const AFTER = 400;
const MAX_CANDLES = 12_000;

export interface CandleSpan {
  readonly length: Millis;
  readonly count: number;
  /** Number of candles before the event of the scene. */
  readonly calm: number;
}

/** Returns the candles on which a strategy is called; undefined if it is not called on candles. */
export function candlesFor(strategy: Strategy<Params>, params: Params): CandleSpan | undefined {
  const [wanted, every] = [historyOf(strategy, params), everyOf(strategy, params)];
  const lengths = [...wanted.map(({ span }) => span), ...(every === undefined ? [] : [every])];
  if (lengths.length === 0) return undefined;
  const length = Math.min(...lengths);
  const history = Math.max(0, ...wanted.map(({ span, count }) => ((count + 1) * span) / length));
  return { length, count: Math.min(MAX_CANDLES, history + AFTER), calm: Math.min(MAX_CANDLES - AFTER, history) };
}

/** Returns the length of the longest candles in a strategy's history; undefined without history. */
export function longestCandle(strategy: Strategy<Params>, params: Params): Millis | undefined {
  const spans = historyOf(strategy, params).map(({ span }) => span);
  return spans.length === 0 ? undefined : Math.max(...spans);
}

interface Listed {
  readonly market: MarketSpec;
  readonly basePrice: number;
}

export interface CandleTapeOptions {
  readonly seed: string;
  /** Name of the walk; markets with the same one have the same prices, as factors of their first. Default: the symbol. */
  readonly walk?: string;
  /** Share of the candles that are missing. Default 0. */
  readonly missing?: number;
  /** Returns the factor for the prices of a candle. Default: 1. */
  readonly factorAt?: (index: number) => number;
}

/** Returns a tape of candles of a random walk: independent moves with a mean of zero. */
export function candleTape(
  listed: Listed,
  { length, count }: Pick<CandleSpan, 'length' | 'count'>,
  { seed, walk = listed.market.symbol, missing = 0, factorAt = () => 1 }: CandleTapeOptions,
): Tape {
  const { basePrice } = listed;
  const market = new Market(listed.market);
  const rng = rngFrom(seed).fork(`candles/${walk}`);
  const missingRng = rngFrom(seed).fork(`missing/${market.symbol}`);
  const step = (HOURLY * Math.sqrt(length / HOUR)) / Math.sqrt(MOVES);
  const rows = new MemoryRows();
  let price = basePrice;
  for (let index = 0; index < count; index++) {
    const path = [price];
    for (let move = 0; move < MOVES; move++) path.push((price *= 1 + step * rng.normal()));
    if (missing > 0 && missingRng.next() < missing) continue;
    const factor = factorAt(index);
    const prices = path.map((one) => market.ticksNear(one * factor) ?? ticks(1));
    const add = (kind: RowKind, value: number, size = 0): void =>
      rows.add({ time: (START + index * length) * STAMPS_PER_MILLI, lag: 0, code: codeOf(kind), price: value, size });
    add('open', prices[0]!, length);
    add('high', Math.max(...prices));
    add('low', Math.min(...prices));
    add('close', prices.at(-1)!, market.lots(1e7 / basePrice));
  }
  const tape = rows.tape({ market: market.spec, basePrice, source: 'a random walk', books: 'candles', pollMs: length });
  return tape!;
}
