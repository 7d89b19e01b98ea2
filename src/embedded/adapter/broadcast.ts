// Emits the events of one source to all subscribers, without allocating per event: a backtest has millions of them.
import { Observable, type Subscriber } from 'rxjs';
import type { Cancel } from '../../base/clock.ts';

export interface BroadcastOptions<T> {
  /** Called for the first subscriber. Returns a function that is called after the last one has left. */
  readonly start: (emit: (event: T) => void) => Cancel;
  /** Completes all subscribers, including later ones, when it emits. */
  readonly closing: Observable<void>;
}

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
