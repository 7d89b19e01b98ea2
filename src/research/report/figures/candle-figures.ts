// Figures of a backtest on candles: which candles the tape has, and how many fills depend on an assumed order of prices.
import type { Millis } from '../../../base/clock.ts';
import type { Candle } from '../../../bot/domain/candle.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { lots, ticks } from '../../../bot/domain/numbers.ts';
import type { Fill } from '../../../bot/domain/order.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import { GrowingColumn } from './columns.ts';
import { type ExitFill, ExitFills } from './exit-fills.ts';

export interface CandleFigures {
  /** The symbol. */
  readonly market: string;
  readonly candles: number;
  /** Places where at least one candle is missing. */
  readonly gaps: number;
  readonly lengthMs: Millis;
  readonly first: Millis;
  /** The beginning of the last candle. */
  readonly last: Millis;
  /** Fills within a candle of the tape. */
  readonly fills: number;
  /** Fills in candles in which both a resting bid and a resting ask were filled: which came first is assumed. */
  readonly guessed: number;
  /** Fills of exits in candles that also contain the price of a stop or a take profit that was not taken: which came first is assumed. */
  readonly exits: {
    readonly guessed: number;
    /** Change of the profit if the other exit came first in those candles, in quote money. */
    readonly otherwise: number;
    /** Candles in which a trailing stop was reached only if the better extreme came first; it is assumed that it was not. */
    readonly trails: number;
  };
  /** Our largest share of the volume of one candle. */
  readonly largestShare: number;
  /** Fills at a better price than any price of the candle: bids below its low, asks above its high. */
  readonly beyond: number;
}

/** Collects the candles of a backtest from its turns. */
export class CandleCollector {
  readonly #markets: readonly Market[];
  readonly #exits: ExitFills;
  readonly #candles = new Map<MarketId, MarketCandles>();

  constructor(markets: readonly Market[]) {
    this.#markets = markets;
    this.#exits = new ExitFills(markets);
  }

  see(turn: Turn): void {
    if (this.#candles.size > 0) this.#exits.see(turn);
    for (const event of turn.events) {
      if (event.kind !== 'candlesSeen' || event.complete !== true || event.span === undefined) continue;
      const before = this.#candles.get(event.market);
      if (before !== undefined && event.span > before.span) continue; // the tape's own candles, not the longer ones shown to the strategy
      const collected = before?.span === event.span ? before : { candles: new CandleColumns(), span: event.span };
      this.#candles.set(event.market, collected);
      for (const candle of event.candles) collected.candles.push(candle);
    }
  }

  /** Returns the figures of each market with candles. `fills` are in order of time. */
  figures(fills: readonly Fill[]): readonly CandleFigures[] {
    return this.#markets.flatMap((market) => {
      const collected = this.#candles.get(market.id);
      if (collected === undefined || collected.candles.count === 0) return [];
      const own = fills.filter((fill) => fill.market === market.id);
      return [
        {
          ...figuresOf(market, collected, own),
          exits: { ...exitsOf(market, collected, this.#exits.of(market.id)), trails: this.#exits.unclear(market.id) },
        },
      ];
    });
  }
}

/** The fills in one candle: their size, and the number of fills of resting bids and asks. */
interface CandleFills {
  size: number;
  bids: number;
  asks: number;
}

interface MarketCandles {
  readonly candles: CandleColumns;
  readonly span: Millis;
}

/** The candles of a market as columns: a year of minutes takes a third of the memory that objects do. Ticks and lots. */
class CandleColumns {
  readonly starts = new GrowingColumn();
  readonly lows = new GrowingColumn();
  readonly highs = new GrowingColumn();
  /** 0 if unknown. */
  readonly volumes = new GrowingColumn();

  get count(): number {
    return this.starts.count;
  }

  push({ start, low, high, volume = lots(0) }: Candle): void {
    this.starts.push(start);
    this.lows.push(low);
    this.highs.push(high);
    this.volumes.push(volume);
  }
}

/** Counts the exits in whose candle the price of the other exit lies too, and sums what that exit would have changed. */
function exitsOf(market: Market, { candles, span }: MarketCandles, fills: readonly ExitFill[]): Omit<CandleFigures['exits'], 'trails'> {
  let [guessed, otherwise] = [0, 0];
  for (const { fill, other } of fills) {
    const at = candles.starts.values().findLastIndex((start) => start <= fill.time);
    if (at === -1 || fill.time >= candles.starts.at(at) + span) continue;
    if (other < market.price(ticks(candles.lows.at(at))) || other > market.price(ticks(candles.highs.at(at)))) continue;
    guessed++;
    otherwise += (fill.side === 'ask' ? 1 : -1) * (other - market.price(fill.price)) * market.size(fill.size);
  }
  return { guessed, otherwise };
}

function figuresOf({ symbol }: Market, { candles, span }: MarketCandles, fills: readonly Fill[]): Omit<CandleFigures, 'exits'> {
  const { starts, lows, highs, volumes, count } = candles;
  const filled = new Map<number, CandleFills>();
  let [at, beyond, covered] = [0, 0, 0];
  for (const { time, side, price, size, role } of fills) {
    while (at + 1 < count && starts.at(at + 1) <= time) at++;
    if (time < starts.at(at) || time >= starts.at(at) + span) continue;
    covered++;
    if (side === 'bid' ? price < lows.at(at) : price > highs.at(at)) beyond++;
    const sum = filled.get(at) ?? { size: 0, bids: 0, asks: 0 };
    filled.set(at, sum);
    sum.size += size;
    if (role === 'maker') sum[side === 'bid' ? 'bids' : 'asks'] += 1;
  }
  let [guessed, largestShare] = [0, 0];
  for (const [index, { size, bids, asks }] of filled) {
    if (bids > 0 && asks > 0) guessed += bids + asks;
    const volume = volumes.at(index);
    largestShare = Math.max(largestShare, volume > 0 ? size / volume : 0);
  }
  return {
    market: symbol,
    candles: count,
    gaps: starts.values().reduce((gaps, start, index) => gaps + (index > 0 && start > starts.at(index - 1) + span ? 1 : 0), 0),
    lengthMs: span,
    first: starts.at(0),
    last: starts.at(count - 1),
    fills: covered,
    guessed,
    largestShare,
    beyond,
  };
}
