// Candles of driftless random walks, for one market or for several that follow one walk: nobody can earn on them.
import { HOUR, type Millis } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { Market } from '../../../src/bot/domain/market.ts';
import { codeOf, FUNDING_PARTS, type RowKind, STAMPS_PER_MILLI } from '../../../src/embedded/rows/rows.ts';
import type { Tape } from '../../../src/embedded/tape/reader.ts';
import { MemoryRows } from '../../../src/research/testing/memory-tape.ts';
import { BTC } from '../../unit/world-builder.ts';

export const START = Date.UTC(2026, 0, 5);
const BASE_PRICE = 60_000;
/** Standard deviation of the return of an hour. */
export const HOURLY_BPS = 60;
/** Moves of the walk in the shortest candle. */
const MOVES = 20;

export interface WalkedMarket {
  readonly symbol: string;
  readonly length: Millis;
  /** Begin of the first candle after the start. */
  readonly phase?: Millis;
  /** Share of the candles that are missing. */
  readonly missing?: number;
  /** Rate of a payment every eight hours, with random sign. */
  readonly funding?: number;
}

/** Returns a tape for each market; all follow one walk. */
export function walkTapes(
  markets: readonly WalkedMarket[],
  { seed, span }: { readonly seed: string; readonly span: Millis },
): readonly Tape[] {
  const step = Math.min(...markets.map(({ length }) => length)) / MOVES;
  const prices = walkOf(seed, { count: Math.ceil(span / step) + 1, step });
  return markets.map((market) => tapeOf(market, { prices, step, seed }));
}

function walkOf(seed: string, { count, step }: { readonly count: number; readonly step: Millis }): readonly number[] {
  const rng = rngFrom(seed).fork('walk');
  const size = (HOURLY_BPS / 1e4) * Math.sqrt(step / HOUR);
  let price = BASE_PRICE;
  return Array.from({ length: count }, (_, at) => (at === 0 ? price : (price *= 1 + size * rng.normal())));
}

interface Walk {
  readonly prices: readonly number[];
  readonly step: Millis;
  readonly seed: string;
}

function tapeOf({ symbol, length, phase = 0, missing = 0, funding }: WalkedMarket, { prices, step, seed }: Walk): Tape {
  const market = new Market({ ...BTC.spec, symbol });
  const rng = rngFrom(seed).fork(`tape/${symbol}`);
  const rows = new MemoryRows();
  const steps = Math.round(length / step);
  let nextFunding = 0;
  for (let from = Math.round(phase / step); from + steps < prices.length; from += steps) {
    const start = START + from * step;
    if (funding !== undefined && start >= nextFunding) {
      nextFunding = start - (start % (8 * HOUR)) + 8 * HOUR;
      const rate = funding * (rng.next() < 0.5 ? -1 : 1);
      rows.add({
        time: start * STAMPS_PER_MILLI,
        lag: 0,
        code: codeOf('funding'),
        price: nextFunding - start,
        size: Math.round(rate * FUNDING_PARTS),
      });
    }
    if (rng.next() < missing) continue;
    const path = prices.slice(from, from + steps + 1).map((price) => Math.round(price * 10));
    const add = (kind: RowKind, price: number, size = 0): void =>
      rows.add({ time: start * STAMPS_PER_MILLI, lag: 0, code: codeOf(kind), price, size });
    add('open', path[0]!, length);
    add('high', Math.max(...path));
    add('low', Math.min(...path));
    add('close', path.at(-1)!, market.lots(1_000));
  }
  return rows.tape({ market: market.spec, basePrice: BASE_PRICE, source: 'a random walk', books: 'candles', pollMs: length })!;
}
