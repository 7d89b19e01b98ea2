// On candles nothing is polled: all that a run sees is asked for in one request, after the end of each candle, at fixed times within it if there are
// several looks, and a few times more while the outcome of an action is not known, but only as long as the price rests after a look.
import { assert } from '../../base/assert.ts';
import type { Cancel, Clock, Millis } from '../../base/clock.ts';
import type { Exchange } from '../../embedded/exchange.ts';
import type { RecordedCandles } from '../../embedded/recorded/recorded-candles.ts';
import type { Network } from './network.ts';

/** Something that can be seen. `own`: it belongs to the account, and is asked for after actions, too. */
export interface Sight {
  readonly own: boolean;
  /** Called when the request arrives; returns what is to be done when its answer is back. */
  readonly look: (asked: Millis) => () => void;
}

/**
 * After the last action or fill, what is our own is asked for at these times: the first account shows what rests and what is gone, and the second list
 * of fills, which counts up to LISTING_LAG before, shows how it ended. What longer latencies leave in doubt is proved at the next look.
 */
const FOLLOW_UPS: readonly Millis[] = [500, 2_000];

export interface LookTimes {
  /** The time between two looks; undefined: only after the end of a candle, where tapes have candles of several lengths of a longest one. */
  readonly every: Millis | undefined;
  /** How long after a look no price moves. */
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
  readonly #sources: readonly RecordedCandles[];
  readonly #sights: Sight[] = [];
  #next: Cancel | undefined;
  #followUps: readonly Cancel[] = [];
  /**
   * Half of the time in which no price moves. A run that saw its fills later would learn of the path inside the candle, and would act on it with the
   * book of the candle's beginning.
   */
  #followUntil: Millis = Number.POSITIVE_INFINITY;

  constructor(options: LooksOptions) {
    this.#options = options;
    this.#sources = options.candles.filter((source) => source !== undefined);
    assert(this.#sources.length > 0, 'there are candles to look at');
  }

  /** The first sight starts the looks; removing the last one ends them. */
  add(sight: Sight): Cancel {
    this.#sights.push(sight);
    const { clock } = this.#options;
    this.#next ??= clock.at(clock.now(), () => this.#atCandle());
    return () => {
      this.#sights.splice(this.#sights.indexOf(sight), 1);
      if (this.#sights.length > 0) return;
      this.#next?.();
      for (const cancel of this.#followUps) cancel();
    };
  }

  /** Looks again soon at what is our own: an action was sent, or a fill was seen. */
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
    const span = this.#sources.reduce((longest, source) => Math.max(longest, source.span), 0);
    this.#followUntil = asked + restsMs / 2;
    this.#look(false, () => {
      let next = Number.POSITIVE_INFINITY;
      for (const source of this.#sources) if (source.span === span) next = Math.min(next, source.next);
      const usual = asked + (every ?? span);
      const due = every === undefined && Number.isFinite(next) ? next : Math.min(next, usual);
      this.#next = clock.at(Math.max(clock.now(), due), () => this.#atCandle());
    });
  }

  /** Each look counts an action of another account: see `start` of a backtest. */
  #look(onlyOwn: boolean, then?: () => void): void {
    const { clock, network, exchange } = this.#options;
    const asked = clock.now();
    network.request(
      'seen',
      () => {
        exchange.countAction();
        const answers: (() => void)[] = [];
        for (const sight of this.#sights) if (sight.own || !onlyOwn) answers.push(sight.look(asked));
        return answers;
      },
      (answers) => {
        for (const answer of answers) answer();
        then?.();
      },
    );
  }
}
