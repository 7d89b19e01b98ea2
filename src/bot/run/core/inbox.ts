// Collects events for the next turn; events that arrive at the same time are taken together.
import type { Millis } from '../../../base/clock.ts';
import type { Event } from '../../domain/event.ts';

export class Inbox {
  readonly #whenFirst: () => void;
  #events: Event[] = [];
  #latest: Millis = 0;
  #isOpen = false;

  /** `whenFirst` is called when the first event arrives in an empty inbox, but not before the inbox is open. */
  constructor(whenFirst: () => void) {
    this.#whenFirst = whenFirst;
  }

  open(): void {
    this.#isOpen = true;
    if (this.#events.length > 0) this.#whenFirst();
  }

  /** Time of the newest event. */
  get latest(): Millis {
    return this.#latest;
  }

  /** Adds an event. The clocks of two streams may differ: a late event gets the time of the newest one, so that time never goes back. */
  add(event: Event): void {
    const late = event.at < this.#latest;
    if (!late) this.#latest = event.at;
    this.#events.push(late ? { ...event, at: this.#latest } : event);
    if (this.#isOpen && this.#events.length === 1) this.#whenFirst();
  }

  take(): readonly Event[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
