// The time in the Date headers of an exchange's answers, with which its own clock is compared (`bot/world/market/time-check.ts`).
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { Transport } from '../../../../base/transport/transport.ts';

/** A header counts this long. */
const COUNTS_FOR: Millis = 20_000;

export class DateHeaders {
  readonly #clock: Clock;
  #newest: { readonly seconds: number; readonly asked: Millis } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns a transport that reads the header of each answer. */
  over(transport: Transport): Transport {
    return {
      request: async (request, limits) => {
        const asked = this.#clock.now();
        const reply = await transport.request(request, limits);
        if (reply.date !== undefined) this.#newest = { seconds: reply.date, asked };
        return reply;
      },
      reset: (reason) => transport.reset?.(reason),
      renew: (body) => transport.renew?.(body),
      close: () => transport.close(),
    };
  }

  /** Returns the time in seconds at a moment; undefined if no recent answer had the header. */
  at(moment: Millis): number | undefined {
    if (this.#newest === undefined || Math.abs(moment - this.#newest.asked) > COUNTS_FOR) return undefined;
    return this.#newest.seconds + (moment - this.#newest.asked) / 1_000;
  }
}
