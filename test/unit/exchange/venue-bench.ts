// A venue on virtual time with all events that it emits: the common part of the hosted and the local bench.
import { VirtualClock } from '../../../src/base/clock.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../../src/bot/domain/action.ts';
import type { Event } from '../../../src/bot/domain/event.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Polling } from '../../../src/bot/exchange/kit/streams/polling.ts';
import type { Venue } from '../../../src/bot/exchange/port.ts';
import { driven } from '../../driven.ts';

export const START = 1_763_632_800_000;
export const POLLING: Polling = {
  orderBookMs: 250,
  accountMs: 500,
  fillsMs: 500,
  tradesMs: 500,
  liveMs: 1_000,
  timeMs: 1_000,
  requestsPerSecond: 1_000,
};

let placed = 0;
/** Client order ids count upwards from `first`. */
export const placeFrom =
  (first: bigint) =>
  (more: Partial<PlaceOrder> = {}): PlaceOrder => ({
    kind: 'place',
    clientOrderId: String(first + BigInt(++placed)),
    market: 0,
    side: 'bid',
    price: ticks(995),
    size: lots(20),
    fillMode: 'POST_ONLY',
    ...more,
  });

export const cancel = (more: Partial<CancelOrder> = {}): CancelOrder => ({
  kind: 'cancel',
  clientOrderId: '5',
  market: 0,
  orderId: '18446744073709551615',
  ...more,
});

export class VenueBench {
  readonly clock = new VirtualClock(START);
  readonly events: Event[] = [];
  readonly logged: string[] = [];
  readonly log = { info: (line: string) => this.logged.push(line), warn: (line: string) => this.logged.push(line) };
  failure: unknown;
  #venue: Venue | undefined;

  get venue(): Venue {
    if (this.#venue === undefined) throw new Error('not connected');
    return this.#venue;
  }

  /** Advances the clock until the venue is connected, and collects its events. */
  protected async opened(connecting: Promise<Venue>): Promise<Venue> {
    const venue = await driven(this.clock, connecting);
    this.#venue = venue;
    const fail = (error: unknown): void => {
      this.failure = error;
    };
    venue.gateway.events.subscribe({ next: (event) => this.events.push(event), error: fail });
    venue.feed.events.subscribe({ next: (event) => this.events.push(event), error: fail });
    return venue;
  }

  async run(ms: number): Promise<void> {
    await this.clock.drive(this.clock.now() + ms);
  }

  /** Submits actions, and runs for `ms`, which is enough for a normal answer. */
  async submit(actions: readonly Action[], ms = 50): Promise<void> {
    this.venue.gateway.submit(actions);
    await this.run(ms);
  }

  of<K extends Event['kind']>(kind: K): Extract<Event, { kind: K }>[] {
    return this.events.filter((event): event is Extract<Event, { kind: K }> => event.kind === kind);
  }

  /** The health changes of a stream, oldest first. */
  health(stream: string): boolean[] {
    return this.of('healthSeen')
      .filter((event) => event.stream === stream)
      .map(({ healthy }) => healthy);
  }
}
