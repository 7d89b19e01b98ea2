// The limit on the rate of new orders where they leave for the exchange, counted over all turns and all processes of a run.
import type { Clock, Millis } from '../../base/clock.ts';
import { exceeded, type Rates } from '../../risk/guards/rate.ts';
import { Placements } from '../../world/orders/placements.ts';
import type { Entry } from '../state/entries.ts';

/** As far back as the limits look. */
const LOOKED_BACK: Millis = 60_000;

/** When new orders were written down to leave, within a minute before the last of them; oldest first. */
export function placedLately(entries: readonly Entry[]): readonly Millis[] {
  const times = entries.flatMap((entry) => (entry.kind === 'sent' && entry.action === 'place' ? Date.parse(entry.at) : []));
  times.sort((a, b) => a - b);
  const last = times.at(-1) ?? 0;
  return times.filter((time) => time > last - LOOKED_BACK);
}

/** The same times, moved back together where the clock of the process that wrote them was ahead. */
export function notAfter(times: readonly Millis[], now: Millis): readonly Millis[] {
  const ahead = Math.max(0, (times.at(-1) ?? 0) - now);
  return times.map((time) => time - ahead);
}

export class LeaveRate {
  readonly #clock: Clock;
  readonly #rates: Rates;
  readonly #left = new Placements();

  /** `earlier`: when orders of earlier processes left. */
  constructor({ clock, rates, earlier }: { clock: Clock; rates: Rates; earlier: readonly Millis[] }) {
    this.#clock = clock;
    this.#rates = rates;
    this.#left.inherit(notAfter(earlier, this.#now()));
  }

  /** Why no new order may leave now; where one may, it counts as gone. */
  take(): string | undefined {
    const now = this.#now();
    const reason = exceeded(this.#rates, (span) => this.#left.since(now - span));
    if (reason === undefined) this.#left.add(1, now);
    return reason;
  }

  /** Without the leaps of the clock: a wall clock that is set forward makes no room. */
  #now(): Millis {
    return this.#clock.now() - this.#clock.skipped();
  }
}
