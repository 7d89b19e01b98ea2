// The profit of a run since its first turn: a curve of it, its totals at the end of each day, and its round trips. `bot/run/core/history-file.ts` keeps it.
import { DAY, type Millis } from '../../base/clock.ts';
import type { RunTotals } from '../domain/accounting/run-totals.ts';
import type { Micros } from '../domain/numbers.ts';
import { ProfitCurve, type ProfitCurveCarry, type ProfitPoint } from './profit-curve.ts';

/** Totals since the run began. Money in millionths of the quote token. */
export interface ProfitTotals {
  readonly pnl: number;
  readonly fills: number;
  /** Closed round trips: from flat to flat, or to the other side. */
  readonly trips: number;
  /** Closed round trips with a profit, after fees and with funding. */
  readonly won: number;
  /** The sum of the durations of the closed round trips. */
  readonly heldMs: Millis;
}

/** The totals at the end of a UTC day, or so far. */
export interface DayClosing extends ProfitTotals {
  /** Days since 1970. */
  readonly day: number;
}

/** A round trip that is open. */
interface OpenTrip {
  readonly since: Millis;
  readonly side: number;
  /** The realised profit of the market before the trip was opened. */
  readonly realised: number;
}

/** What a later process continues from. */
export interface HistoryCarry {
  readonly curve: ProfitCurveCarry;
  /** The totals when the history began. */
  readonly start: ProfitTotals;
  /** Oldest first; days without a turn are absent. */
  readonly days: readonly DayClosing[];
  /** By symbol. */
  readonly open: Readonly<Record<string, OpenTrip>>;
}

/** A market after a turn. `realised` is undefined while it is not known. */
export interface MarketResult {
  readonly symbol: string;
  readonly position: number;
  readonly realised: number | undefined;
  readonly fills: number;
}

export interface TurnResult {
  readonly at: Millis;
  readonly totals: RunTotals;
  /** Undefined before the first account. */
  readonly equity: Micros | undefined;
  /** None if no market has changed since the last turn. */
  readonly markets: Iterable<MarketResult>;
}

/** The values of a market when it was last flat: a round trip is counted from these. */
interface Flat {
  readonly realised: number;
  readonly fills: number;
}

const POINTS = 500;

export class ProfitHistory {
  readonly #curve = new ProfitCurve(POINTS);
  readonly #start: ProfitTotals;
  #days: DayClosing[] = [];
  readonly #open = new Map<string, OpenTrip>();
  /** The newest values of each market while it was flat. */
  readonly #flat = new Map<string, Flat>();
  readonly #seen = new Set<string>();
  #trips: Pick<ProfitTotals, 'trips' | 'won' | 'heldMs'> = { trips: 0, won: 0, heldMs: 0 };

  /** `totals`: those before the first turn. */
  constructor({ profit, fills }: Pick<RunTotals, 'profit' | 'fills'>, earlier?: HistoryCarry) {
    this.#start = earlier?.start ?? { pnl: profit, fills, ...this.#trips };
    if (earlier === undefined) return;
    const { curve, days, open } = earlier;
    this.#curve.resume(curve);
    this.#days = [...days];
    const { trips, won, heldMs } = days.at(-1) ?? this.#start;
    this.#trips = { trips, won, heldMs };
    for (const [symbol, trip] of Object.entries(open)) this.#open.set(symbol, trip);
  }

  /** Call it after each turn. */
  add({ at, totals: { profit, fills }, equity, markets }: TurnResult): void {
    for (const market of markets) this.#follow(market, at);
    const closing = { day: Math.floor(at / DAY), pnl: profit, fills, ...this.#trips };
    if (this.#days.at(-1)?.day === closing.day) this.#days.pop();
    this.#days.push(closing);
    if (equity !== undefined && this.#curve.isDue(at)) this.#curve.add({ at, equity, pnl: profit });
  }

  get points(): readonly ProfitPoint[] {
    return this.#curve.points;
  }

  carry(): HistoryCarry {
    const { points, span } = this.#curve;
    return { curve: { points, span }, start: this.#start, days: this.#days, open: Object.fromEntries(this.#open) };
  }

  #follow({ symbol, position, realised, fills }: MarketResult, at: Millis): void {
    const side = Math.sign(position);
    if (!this.#seen.has(symbol)) this.#begin(symbol, side);
    const [open, flat] = [this.#open.get(symbol), this.#flat.get(symbol)];
    if (open !== undefined && side !== open.side) this.#close(symbol, { at, realised });
    else if (open === undefined && side === 0 && flat !== undefined && fills > flat.fills + 1 && realised !== undefined)
      this.#count(realised - flat.realised, 0); // opened and closed in one turn
    if (realised === undefined) {
      this.#flat.delete(symbol);
      return;
    }
    if (side === 0) this.#flat.set(symbol, { realised, fills });
    else if (!this.#open.has(symbol))
      this.#open.set(symbol, { since: at, side, realised: open === undefined ? (flat?.realised ?? realised) : realised });
  }

  /** An open trip of an earlier process is not continued if its position is gone, as on an exchange that ended with that process. */
  #begin(symbol: string, side: number): void {
    this.#seen.add(symbol);
    if (this.#open.get(symbol)?.side !== side) this.#open.delete(symbol);
  }

  #close(symbol: string, { at, realised }: { readonly at: Millis; readonly realised: number | undefined }): void {
    const open = this.#open.get(symbol);
    this.#open.delete(symbol);
    if (open !== undefined && realised !== undefined) this.#count(realised - open.realised, at - open.since);
  }

  #count(profit: number, held: Millis): void {
    const { trips, won, heldMs } = this.#trips;
    this.#trips = { trips: trips + 1, won: won + Number(profit > 0), heldMs: heldMs + held };
  }
}
