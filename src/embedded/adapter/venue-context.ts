// What the feed and the gateway of one embedded venue share: its exchange and clock, and the broadcast of its events.
import { Observable, type Subscriber } from 'rxjs';
import type { Cancel, Clock } from '../../base/clock.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { WriteAhead } from '../../bot/exchange/kit/sending/outgoing.ts';
import type { Polling } from '../../bot/exchange/kit/streams/polling.ts';
import type { Resumption } from '../../bot/exchange/kit/streams/trade-tail.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecordedCandles } from '../exchange/recorded/recorded-candles.ts';
import type { Looks } from './looks.ts';
import type { EmbeddedNetwork } from './network.ts';

export interface VenueContext {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly network: EmbeddedNetwork;
  readonly account: AccountId;
  /** The markets that are traded. */
  readonly markets: readonly Market[];
  readonly polling: Polling;
  /** How long each poller waits before its first request, as a share of its interval. */
  readonly phase: number;
  /** By market id: the candles of the markets that follow a tape of candles. */
  readonly candles: readonly (RecordedCandles | undefined)[];
  /** By market id: the candles that are played, if `candles` are longer. */
  readonly shorterCandles: readonly (RecordedCandles | undefined)[];
  /** Set if all data is requested together, for tapes of candles. */
  readonly looks: Looks | undefined;
  /** Records actions before they are sent. */
  readonly writeAhead: WriteAhead;
  /** Where an earlier process of the run stopped reading our trades. */
  readonly resume: Resumption | undefined;
  readonly closing: Observable<void>;
}

interface BroadcastOptions<T> {
  /** Called for the first subscriber. Returns a function that is called after the last one has left. */
  readonly start: (emit: (event: T) => void) => Cancel;
  /** Completes all subscribers, including later ones, when it emits. */
  readonly closing: Observable<void>;
}

/** Emits the events of one source to all subscribers, without allocating per event: a backtest has millions of them. */
export class Broadcast<T> {
  readonly events: Observable<T>;
  #subscribers: readonly Subscriber<T>[] = [];

  constructor({ start, closing }: BroadcastOptions<T>) {
    let stop: Cancel | undefined;
    this.events = new Observable((subscriber) => {
      subscriber.add(closing.subscribe(() => subscriber.complete()));
      if (subscriber.closed) return;
      this.#subscribers = [...this.#subscribers, subscriber];
      if (this.#subscribers.length === 1) stop = start((event) => this.emit(event));
      return () => {
        this.#subscribers = this.#subscribers.filter((other) => other !== subscriber);
        if (this.#subscribers.length === 0) stop?.();
      };
    });
  }

  emit(event: T): void {
    for (const subscriber of this.#subscribers) subscriber.next(event);
  }
}
