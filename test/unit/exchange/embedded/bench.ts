// The adapter of backtests at a quiet exchange, with all events that it emits.
import { VirtualClock } from '../../../../src/base/clock.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../../../src/bot/domain/action.ts';
import type { Event } from '../../../../src/bot/domain/event.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import { DEFAULT_POLLING, type Polling } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import type { Venue } from '../../../../src/bot/exchange/port.ts';
import type { Trip } from '../../../../src/embedded/adapter/latency.ts';
import { embeddedVenue } from '../../../../src/embedded/adapter/venue.ts';
import { QuietExchange, START } from '../../embedded/quiet-exchange.ts';

export const POLLING = DEFAULT_POLLING;

export interface BenchOptions {
  readonly polling?: Partial<Polling>;
  readonly phase?: number;
  /** Latencies, used in turn and repeated. */
  readonly ways?: readonly Trip[];
  readonly markets?: readonly string[];
}

export class Bench {
  readonly quiet = new QuietExchange();
  readonly clock = new VirtualClock(START);
  readonly other = this.quiet.user('other', 1_000_000);
  readonly us = this.quiet.user('us', 100_000);
  readonly venue: Venue;
  readonly events: Event[] = [];
  /** The calls that advanced the exchange: the time of the call, and the time advanced to. */
  readonly moves: { readonly now: number; readonly to: number }[] = [];

  constructor({ polling = {}, phase, ways = [{ there: 10, back: 20 }], markets = ['BTCUSDC'] }: BenchOptions = {}) {
    const { exchange } = this.quiet;
    const advanceTo = exchange.advanceTo.bind(exchange);
    exchange.advanceTo = (to) => {
      this.moves.push({ now: this.clock.now(), to });
      advanceTo(to);
    };
    let drawn = 0;
    const model = { draw: () => ways[drawn++ % ways.length]! };
    this.venue = embeddedVenue({
      exchange,
      clock: this.clock,
      account: this.us,
      markets,
      polling: { ...POLLING, ...polling },
      phase,
      latency: { seen: model, sent: model },
    });
  }

  /** Collects all events from now on. */
  listen(): void {
    this.venue.gateway.events.subscribe((event) => this.events.push(event));
    this.venue.feed.events.subscribe((event) => this.events.push(event));
  }

  /** Advances the clock to `span` milliseconds after the start. */
  until(span: number): void {
    this.clock.advanceTo(START + span);
  }

  submit(...actions: Action[]): void {
    this.venue.gateway.submit(actions);
  }

  of<K extends Event['kind']>(kind: K): Extract<Event, { kind: K }>[] {
    return this.events.filter((event): event is Extract<Event, { kind: K }> => event.kind === kind);
  }

  /** The times of request and report of each event, in milliseconds after the start: `0-30`. */
  times(kind: Event['kind']): string[] {
    return this.of(kind).map((event) => `${'asked' in event ? `${event.asked - START}-` : ''}${event.at - START}`);
  }
}

export const bid = (id: number, price: number, more: Partial<PlaceOrder> = {}): PlaceOrder => ({
  kind: 'place',
  clientOrderId: String(id),
  market: 0,
  side: 'bid',
  price: ticks(price),
  size: lots(100),
  fillMode: 'LIMIT',
  ...more,
});

export const cancel = (id: number, orderId: string): CancelOrder => ({ kind: 'cancel', clientOrderId: String(id), market: 0, orderId });
