// Looks: requests of all data together, instead of polling, for tapes of candles: one at each boundary of a candle, where the prices are known.
// Account data is requested again soon after an action or a fill; no price moves between two boundaries.

import type { Cancel, Clock, Millis } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Action } from '../../bot/domain/action.ts';
import type { Candle } from '../../bot/domain/candle.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import { canRest } from '../../bot/domain/order.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecordedCandles } from '../exchange/recorded/recorded-candles.ts';
import { CandleEnd } from './candle-end.ts';
import type { Arrival, EmbeddedNetwork } from './network.ts';

/** A source of data. */
export interface DataSource<Answer = unknown> {
  /** True for data of the account, which is also requested after actions. */
  readonly own: boolean;
  /** Reads the data now. */
  readonly look: () => Answer;
  /** Called with what was read when the answer has arrived. */
  readonly answered: (answer: Answer, asked: Millis) => void;
}

/**
 * Times after the last action or fill at which the account's data is requested again. The account of the first request shows which orders rest. The
 * fills of the second, complete up to `listingLagMs` before it, show how the others ended. With longer latencies, the next look shows it.
 */
const FOLLOW_UPS: readonly Millis[] = [500, 2_000];

/** Looks at the boundaries of all markets, and those in which one market was closed: inside of its candle, or without one. */
export interface Closings {
  looks: number;
  inside: number;
  missing: number;
}

interface LooksOptions {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly network: EmbeddedNetwork;
  /** By market id: the candles that are played. */
  readonly candles: readonly (RecordedCandles | undefined)[];
}

/**
 * A market is open in a look at a boundary of its own candles: there its price is the open or the close, which nobody can predict from earlier data. In
 * a look at a boundary of another market it is closed: its candle is missing, or it is inside of its path. It is then not shown, and what is sent for
 * it arrives at its own next boundary.
 */
export class Looks {
  /** By market id: how often and why it was closed. */
  readonly closings: readonly Closings[];
  /** True while data is read at a stop inside a candle: nothing is late then, the list of fills is complete. */
  isInstant = false;
  /** The ends of candles, at which stops and margins are judged. */
  readonly end: CandleEnd;
  readonly #options: LooksOptions;
  /** Another list after each change, because an answer that is under way belongs to the sources of its look. */
  #sources: readonly DataSource[] = [];
  /** By market id, as of the look that is read now. */
  #shown: readonly boolean[] = [];
  /** By market id: the candles that end at the look that is read now. */
  #ended: readonly (Candle | undefined)[] = [];
  /** By market id, as of the newest look that was answered. */
  #open: readonly boolean[] = [];
  #next: Cancel | undefined;
  #followUntil: Millis = Number.POSITIVE_INFINITY;
  #followUps: readonly Cancel[] = [];
  /** When data arrived last that is newer than the prices. */
  #newsAt: Millis = Number.NEGATIVE_INFINITY;

  constructor(options: LooksOptions) {
    this.#options = options;
    this.closings = options.candles.map(() => ({ looks: 0, inside: 0, missing: 0 }));
    this.end = new CandleEnd({ ...options, readOwn: () => this.#readOwn() });
    assert(options.candles.length > 0 && options.candles.every((one) => one !== undefined), 'all markets have candles');
  }

  /** Adds a source; returns a function that removes it. The first source starts the looks; removing the last one ends them. */
  add<Answer>(added: DataSource<Answer>): Cancel {
    const source = added as DataSource;
    this.#sources = [...this.#sources, source];
    const { clock } = this.#options;
    this.#next ??= clock.at(clock.now(), this.#boundary);
    return () => {
      this.#sources = this.#sources.filter((other) => other !== source);
      if (this.#sources.length > 0) return;
      this.#next?.();
      for (const cancel of this.#followUps) cancel();
    };
  }

  /** True if the market is open in the look that is read now. */
  shows(market: MarketId): boolean {
    return this.#shown[market] === true;
  }

  /** The candle of the market that ends at the look that is read now. */
  ended(market: MarketId): Candle | undefined {
    return this.#ended[market];
  }

  /**
   * When an action arrives that is sent now. If its market was closed in the newest look, at the market's next boundary, if there is one. `level`: the
   * market whose stop the sending turn has judged; its cancels and taking orders arrive at once, and everything else at a boundary.
   */
  arrivalOf(action: Action, level: MarketId | undefined): Arrival {
    const { market } = action;
    if (level === market && (action.kind === 'cancel' || !canRest(action.fillMode))) return { isInstant: true };
    const next = this.#options.candles[market]!.boundaryAfter(this.#options.clock.now());
    const isOpen = this.#open[market] === true && level === undefined && !this.end.isJudging;
    return isOpen || !Number.isFinite(next) ? {} : { notBefore: next };
  }

  /** Closes all markets until their next look, because data from elsewhere has arrived: it is newer than their prices. */
  close(): void {
    this.#open = [];
    this.#newsAt = this.#options.clock.now();
  }

  /**
   * Schedules the follow-ups, after an action was sent or a fill was received. Only in the first eighth of the time to the next boundary, so that a run
   * that acts in every turn ends.
   */
  followUp(): void {
    const { clock } = this.#options;
    const now = clock.now();
    for (const cancel of this.#followUps) cancel();
    const times = FOLLOW_UPS.map((after) => now + after).filter((time) => time < this.#followUntil);
    this.#followUps = times.map((time) => clock.at(time, () => this.#look(true)));
  }

  readonly #boundary = (): void => this.#atBoundary();

  #atBoundary(): void {
    const { clock, candles, exchange } = this.#options;
    const now = clock.now();
    const shown = candles.map((source) => source!.isBoundary(now)); // lists of their size: one that grows has room for 17 from the start
    const ended = candles.map((source) => source!.endingAt(now));
    let next = Number.POSITIVE_INFINITY;
    let shortest = Number.POSITIVE_INFINITY;
    for (let id = 0; id < candles.length; id++) {
      const source = candles[id]!;
      next = Math.min(next, source.boundaryAfter(now));
      shortest = Math.min(shortest, source.span);
      const candle = source.startingAt(now);
      if (candle !== undefined) this.end.begin(exchange.markets[id]!, candle, source);
    }
    this.#shown = shown;
    this.#ended = ended;
    this.#countClosed(now);
    this.#look(false, () => {
      if (this.#newsAt <= now) this.#open = shown;
    });
    const due = Number.isFinite(next) ? next : now + shortest;
    this.#followUntil = Number.isFinite(next) ? now + (next - now) / 8 : due;
    this.#next = clock.at(due, this.#boundary);
  }

  #countClosed(now: Millis): void {
    for (let id = 0; id < this.closings.length; id++) {
      const counts = this.closings[id]!;
      counts.looks += 1;
      if (this.#shown[id] === true) continue;
      counts[this.#options.candles[id]!.isInside(now) ? 'inside' : 'missing'] += 1;
    }
  }

  #readOwn(): void {
    const asked = this.#options.clock.now();
    this.#options.exchange.countAction();
    this.isInstant = true;
    for (const source of this.#sources) if (source.own) source.answered(source.look(), asked);
    this.isInstant = false;
  }

  /** Requests the data. Each look increments the exchange's action count: see `start` of a backtest. */
  #look(onlyOwn: boolean, then?: () => void): void {
    const { clock, network, exchange } = this.#options;
    const asked = clock.now();
    const sources = this.#sources;
    network.look(
      () => {
        exchange.countAction();
        return sources.map((source) => (source.own || !onlyOwn ? source.look() : undefined));
      },
      (answers) => {
        then?.();
        for (let rank = 0; rank < sources.length; rank++) {
          const source = sources[rank]!;
          if (source.own || !onlyOwn) source.answered(answers[rank], asked);
        }
      },
    );
  }
}
