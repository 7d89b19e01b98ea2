// Limits the rate of new orders when they are sent, over all turns and all processes of a run.
import type { Clock, Millis } from '../../../base/clock.ts';
import { exceeded, type Rates } from '../../risk/guards/rate.ts';
import { SendTimes } from '../../world/orders/sending/send-times.ts';
import type { Entry } from './entries.ts';

/** The longest window of the limits. */
const LONGEST_WINDOW: Millis = 60_000;

/** Returns the times at which new orders were recorded before sending, in the minute before the last of them; oldest first. */
export function placedInLastMinute(entries: readonly Entry[]): readonly Millis[] {
  const times = entries.flatMap((entry) => (entry.kind === 'sent' && entry.action === 'place' ? Date.parse(entry.at) : []));
  times.sort((a, b) => a - b);
  const last = times.at(-1) ?? 0;
  return times.filter((time) => time > last - LONGEST_WINDOW);
}

/** Returns the times, all moved back if the clock of the process that wrote them was ahead of `now`. */
export function notAfter(times: readonly Millis[], now: Millis): readonly Millis[] {
  const ahead = Math.max(0, (times.at(-1) ?? 0) - now);
  return times.map((time) => time - ahead);
}

export class SendRate {
  readonly #clock: Clock;
  readonly #rates: Rates;
  readonly #sent = new SendTimes();

  /** `earlier`: times at which earlier processes sent orders. */
  constructor({ clock, rates, earlier }: { clock: Clock; rates: Rates; earlier: readonly Millis[] }) {
    this.#clock = clock;
    this.#rates = rates;
    this.#sent.inherit(notAfter(earlier, this.#now()));
  }

  /** Returns why no new order may be sent now. Undefined if one may; it is then counted as sent. */
  take(): string | undefined {
    const now = this.#now();
    const reason = exceeded(this.#rates, (span) => this.#sent.since(now - span));
    if (reason === undefined) this.#sent.add(1, now);
    return reason;
  }

  /** The time without clock jumps: setting the wall clock forward must not free any rate. */
  #now(): Millis {
    return this.#clock.now() - this.#clock.skipped();
  }
}
