// Records all events of a venue, and waits for one of them.
import { type Clock, type Millis, VirtualClock } from '../../../base/clock.ts';
import type { Event } from '../../../bot/domain/event.ts';
import type { Venue } from '../../../bot/exchange/port.ts';

type EventKind = Event['kind'];
type Reported<K extends EventKind> = Extract<Event, { readonly kind: K }>;

/** Longest wait for an event, on the clock of the run. */
const DEADLINE: Millis = 300_000;

/** Lets virtual time pass until a promise has settled. */
export async function driven<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const done = (): void => {
    settled = true;
  };
  promise.then(done, done);
  await clock.drive(clock.now() + 86_400_000, () => settled);
  return promise;
}

export class EventRecorder {
  readonly venue: Venue;
  readonly events: Event[] = [];
  /** Number of streams, of two, that have completed. */
  ended = 0;
  readonly #clock: Clock;
  readonly #close: () => Promise<void>;
  #failure: unknown;
  #onEvent: () => void = () => undefined;

  constructor(venue: Venue, { clock, close }: { readonly clock: Clock; readonly close: () => Promise<void> }) {
    this.venue = venue;
    this.#clock = clock;
    this.#close = close;
    const observer = {
      next: (event: Event) => {
        this.events.push(event);
        this.#onEvent();
      },
      error: (error: unknown) => {
        this.#failure = error;
        this.#onEvent();
      },
      complete: () => {
        this.ended += 1;
      },
    };
    venue.feed.events.subscribe(observer);
    venue.gateway.events.subscribe(observer);
  }

  of<K extends EventKind>(kind: K, from = 0): Reported<K>[] {
    return this.events.slice(from).filter((event): event is Reported<K> => event.kind === kind);
  }

  /** Resolves with the first event of a kind since index `from` that matches `where`. Rejects after the deadline. */
  first<K extends EventKind>(
    kind: K,
    { from = 0, where = () => true }: { from?: number | undefined; where?: (event: Reported<K>) => boolean } = {},
  ): Promise<Reported<K>> {
    return this.found(`a matching ${kind}`, () => this.of(kind, from).find(where));
  }

  /** Resolves with all events of a kind since index `from` once there are at least `count`. */
  several<K extends EventKind>(kind: K, { count, from = 0 }: { count: number; from?: number }): Promise<Reported<K>[]> {
    const enough = (all: Reported<K>[]): Reported<K>[] | undefined => (all.length >= count ? all : undefined);
    return this.found(`${count} × ${kind}`, () => enough(this.of(kind, from)));
  }

  /** Resolves with what `find` returns after an event, once it returns something. Rejects after the deadline, or `within` that. */
  found<T>(what: string, find: () => T | undefined, within: Millis = DEADLINE): Promise<T> {
    const finding = new Promise<T>((resolve, reject) => {
      const giveUp = this.#clock.at(this.#clock.now() + within, () =>
        reject(new Error(`not reported within ${within / 1_000} s: ${what}`)),
      );
      this.#onEvent = () => {
        if (this.#failure !== undefined) reject(this.#failure);
        const found = find();
        if (found === undefined) return;
        giveUp();
        this.#onEvent = () => undefined;
        resolve(found);
      };
      this.#onEvent();
    });
    return this.#clock instanceof VirtualClock ? driven(this.#clock, finding) : finding;
  }

  /** Throws the error with which a stream has ended. */
  requireHealthy(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): Promise<void> {
    return this.#close();
  }
}
