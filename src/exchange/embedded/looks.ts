// Looks: requests of all data together, instead of polling, for tapes of candles. A look follows the end of each candle and, with `--looks 4` or `12`,
// comes at fixed times within it. Account data is requested again soon after an action or a fill, as long as the price does not move.
import { assert } from '../../base/assert.ts';
import type { Cancel, Clock, Millis } from '../../base/clock.ts';
import type { Exchange } from '../../embedded/exchange.ts';
import type { RecordedCandles } from '../../embedded/recorded/recorded-candles.ts';
import type { Network } from './network.ts';

/** A source of data. */
export interface DataSource {
  /** True for data of the account, which is also requested after actions. */
  readonly own: boolean;
  /** Called when the request arrives; returns a function to call when its answer has returned. */
  readonly look: (asked: Millis) => () => void;
}

/**
 * Times after the last action or fill at which the account's data is requested again. The account of the first request shows which orders rest. The
 * fills of the second, complete up to `listingLagMs` before it, show how the others ended. With longer latencies, the next look shows it.
 */
const FOLLOW_UPS: readonly Millis[] = [500, 2_000];

export interface LookTimes {
  /** The time between two looks; if undefined, only after the end of a candle (of the longest length, if there are several). */
  readonly every: Millis | undefined;
  /** How long prices do not move after a look. */
  readonly restsMs: Millis;
}

interface LooksOptions extends LookTimes {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly network: Network;
  readonly candles: readonly (RecordedCandles | undefined)[];
}

export class Looks {
  readonly #options: LooksOptions;
  readonly #candles: readonly RecordedCandles[];
  readonly #sources: DataSource[] = [];
  #next: Cancel | undefined;
  #followUps: readonly Cancel[] = [];
  /**
   * End of the follow-ups: half of the time in which no price moves. Later, a fill would reveal the path inside the candle, and the run would act on
   * it with the book from the candle's beginning.
   */
  #followUntil: Millis = Number.POSITIVE_INFINITY;

  constructor(options: LooksOptions) {
    this.#options = options;
    this.#candles = options.candles.filter((one) => one !== undefined);
    assert(this.#candles.length > 0, 'there are candles to look at');
  }

  /** Adds a source; returns a function that removes it. The first source starts the looks; removing the last one ends them. */
  add(source: DataSource): Cancel {
    this.#sources.push(source);
    const { clock } = this.#options;
    this.#next ??= clock.at(clock.now(), () => this.#atCandle());
    return () => {
      this.#sources.splice(this.#sources.indexOf(source), 1);
      if (this.#sources.length > 0) return;
      this.#next?.();
      for (const cancel of this.#followUps) cancel();
    };
  }

  /** Schedules the follow-ups, after an action was sent or a fill was received. */
  followUp(): void {
    const { clock } = this.#options;
    const now = clock.now();
    for (const cancel of this.#followUps) cancel();
    const times = FOLLOW_UPS.map((after) => now + after).filter((time) => time <= this.#followUntil);
    this.#followUps = times.map((time) => clock.at(time, () => this.#look(true)));
  }

  #atCandle(): void {
    const { clock, every, restsMs } = this.#options;
    const asked = clock.now();
    const span = this.#candles.reduce((longest, source) => Math.max(longest, source.span), 0);
    this.#followUntil = asked + restsMs / 2;
    this.#look(false, () => {
      let next = Number.POSITIVE_INFINITY;
      for (const source of this.#candles) if (source.span === span) next = Math.min(next, source.next);
      const regular = asked + (every ?? span);
      const due = every === undefined && Number.isFinite(next) ? next : Math.min(next, regular);
      this.#next = clock.at(Math.max(clock.now(), due), () => this.#atCandle());
    });
  }

  /** Requests the data. Each look increments the exchange's action count: see `start` of a backtest. */
  #look(onlyOwn: boolean, then?: () => void): void {
    const { clock, network, exchange } = this.#options;
    const asked = clock.now();
    network.request(
      'seen',
      () => {
        exchange.countAction();
        const answers: (() => void)[] = [];
        for (const source of this.#sources) if (source.own || !onlyOwn) answers.push(source.look(asked));
        return answers;
      },
      (answers) => {
        for (const answer of answers) answer();
        then?.();
      },
    );
  }
}
