// Emits the events of one source to all subscribers, without allocating per event: a backtest has millions of them.
import { Observable, type Subscriber } from 'rxjs';
import type { Cancel } from '../clock.ts';

interface BroadcastOptions<T> {
  /** Called for the first subscriber. Returns a function that is called after the last one has left. */
  readonly start?: ((emit: (event: T) => void) => Cancel) | undefined;
  /** Completes all subscribers, including later ones, when it emits. */
  readonly closing?: Observable<void> | undefined;
}

export class Broadcast<T> {
  readonly events: Observable<T>;
  #subscribers: readonly Subscriber<T>[] = [];
  #isComplete = false;

  constructor({ start, closing }: BroadcastOptions<T> = {}) {
    let stop: Cancel | undefined;
    this.events = new Observable((subscriber) => {
      if (this.#isComplete) return subscriber.complete();
      subscriber.add(closing?.subscribe(() => subscriber.complete()));
      if (subscriber.closed) return;
      this.#subscribers = [...this.#subscribers, subscriber];
      if (this.#subscribers.length === 1) stop = start?.((event) => this.emit(event));
      return () => {
        this.#subscribers = this.#subscribers.filter((other) => other !== subscriber);
        if (this.#subscribers.length === 0) stop?.();
      };
    });
  }

  emit(event: T): void {
    for (const subscriber of this.#subscribers) subscriber.next(event);
  }

  /** Completes all subscribers, including later ones. */
  complete(): void {
    this.#isComplete = true;
    for (const subscriber of this.#subscribers) subscriber.complete();
  }
}
