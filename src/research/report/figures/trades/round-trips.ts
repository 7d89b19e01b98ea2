// Round trips: from the fill that opens a position to the fill that closes all of it or reverses it.
import type { Millis } from '../../../../base/clock.ts';
import { ticks } from '../../../../bot/domain/numbers.ts';
import type { Fill } from '../../../../bot/domain/order.ts';
import type { Measure } from '../equity/curve.ts';
import { PositionCost } from '../position-pnl.ts';
import type { MarketSeries } from '../report-collector.ts';
import { type TradeFigures, tradeFigures } from './trade-figures.ts';

/** Money is in quote tokens, after the fees so far. */
export interface RoundTrip {
  /** The symbol. */
  readonly market: string;
  readonly direction: 'long' | 'short';
  readonly openedAt: Millis;
  readonly closedAt: Millis;
  readonly fills: number;
  readonly profit: number;
  /** Maximum adverse excursion: the lowest value of the trip before it was closed, at most 0, at the mid prices that the bot saw. */
  readonly mae: number;
  /** Maximum favourable excursion: the highest value of the trip before it was closed, at least 0. */
  readonly mfe: number;
  /** The largest cost of the position. */
  readonly largest: number;
}

type OpenTrip = { -readonly [Key in keyof Omit<RoundTrip, 'closedAt'>]: RoundTrip[Key] };

/** Follows the fills of one market in order of time. */
export class TripTracker {
  readonly #series: MarketSeries;
  readonly #cost: PositionCost;
  readonly #closed: RoundTrip[] = [];
  #open: OpenTrip | undefined;
  /** Index of the last row of best prices that the open trip was valued at. */
  #row = 0;

  /** `from` is the time at which a position from before the first fill begins. */
  constructor(series: MarketSeries, from: Millis) {
    this.#series = series;
    this.#cost = new PositionCost(series.market, series.opening);
    if (this.#cost.lots !== 0) this.#begin(from);
  }

  get closed(): readonly RoundTrip[] {
    return this.#closed;
  }

  /** 1 if the last trip is not closed, else 0. Its profit is not final, so it does not count. */
  get open(): number {
    return this.#open === undefined ? 0 : 1;
  }

  /** Returns the realised profit of a fill, in quote money; undefined if it closed nothing. */
  fill(fill: Fill): number | undefined {
    this.#valueUntil(fill.time);
    const before = Math.sign(this.#cost.lots);
    if (this.#open !== undefined) this.#open.fills += 1;
    const realised = this.#cost.fill(fill);
    const after = Math.sign(this.#cost.lots);
    if (this.#open !== undefined) this.#open.profit += realised ?? 0;
    if (before !== 0 && after !== before) this.#end(fill.time);
    if (after !== 0 && after !== before) this.#begin(fill.time, 1);
    if (this.#open !== undefined) this.#open.largest = Math.max(this.#open.largest, Math.abs(this.#cost.cost));
    return realised;
  }

  #begin(openedAt: Millis, fills = 0): void {
    const direction = this.#cost.lots > 0 ? 'long' : 'short';
    this.#open = {
      market: this.#series.market.symbol,
      direction,
      openedAt,
      fills,
      profit: 0,
      mae: 0,
      mfe: 0,
      largest: Math.abs(this.#cost.cost),
    };
  }

  #end(closedAt: Millis): void {
    if (this.#open === undefined) return;
    const { mae, mfe, profit, ...rest } = this.#open;
    const total = Math.round(profit * 1e6) / 1e6;
    this.#closed.push({ ...rest, profit: total, mae: Math.min(mae, total), mfe: Math.max(mfe, total), closedAt });
    this.#open = undefined;
  }

  /** Values the open trip at each price up to `time`, beginning with the current one. */
  #valueUntil(time: Millis): void {
    const { market, tops } = this.#series;
    const { times } = tops;
    const [bids, asks] = [tops.column('bid'), tops.column('ask')];
    const trip = this.#open;
    const opened = trip === undefined ? time : trip.openedAt;
    for (; this.#row < times.length && times[this.#row]! <= time; this.#row++) {
      const until = times[this.#row + 1] ?? Infinity;
      if (trip !== undefined && until > opened) {
        const value = trip.profit + this.#cost.unrealised(market.price(ticks(bids[this.#row]! + asks[this.#row]!)) / 2);
        trip.mae = Math.min(trip.mae, value);
        trip.mfe = Math.max(trip.mfe, value);
      }
      if (until > time) return;
    }
  }
}

/** The figures of the trips in one direction, or in both. */
export interface TripFigures extends TradeFigures {
  readonly averageMs: Measure;
  readonly averageMae: Measure;
  readonly averageMfe: Measure;
  /** The lowest `mae`. */
  readonly worstMae: Measure;
  /** `profit / Σ mfe`: the share of the largest unrealised profits that was realised. */
  readonly kept: Measure;
}

export function tripFigures(trips: readonly RoundTrip[]): TripFigures {
  const average = (valueOf: (trip: RoundTrip) => number): Measure =>
    trips.length === 0 ? NO_TRIP : { value: total(trips, valueOf) / trips.length };
  const figures = tradeFigures(trips.map(({ profit }) => profit));
  const best = total(trips, ({ mfe }) => mfe);
  return {
    ...figures,
    averageMs: average(({ openedAt, closedAt }) => closedAt - openedAt),
    averageMae: average(({ mae }) => mae),
    averageMfe: average(({ mfe }) => mfe),
    worstMae: trips.length === 0 ? NO_TRIP : { value: trips.reduce((least, { mae }) => Math.min(least, mae), 0) },
    kept: best > 0 ? { value: figures.profit / best } : { missing: 'no round trip was ever ahead' },
  };
}

const NO_TRIP = { missing: 'no trade was closed' };
const total = (trips: readonly RoundTrip[], valueOf: (trip: RoundTrip) => number): number =>
  trips.reduce((sum, trip) => sum + valueOf(trip), 0);
