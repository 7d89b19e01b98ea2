// What has come and is not decided upon yet: all that comes at one moment is taken together.
import type { Millis } from '../../base/clock.ts';
import type { Event } from '../../domain/event.ts';

export class Inbox {
  readonly #whenFirst: () => void;
  readonly #events: Event[] = [];
  #latest: Millis = 0;
  #isOpen = false;

  /** `whenFirst` is called when something comes into the inbox that was empty, but not before it is open. */
  constructor(whenFirst: () => void) {
    this.#whenFirst = whenFirst;
  }

  open(): void {
    this.#isOpen = true;
    if (this.#events.length > 0) this.#whenFirst();
  }

  /** When the newest event came. */
  get latest(): Millis {
    return this.#latest;
  }

  /** The clocks of two streams may differ, and time runs forward only. */
  add(event: Event): void {
    const late = event.at < this.#latest;
    if (!late) this.#latest = event.at;
    this.#events.push(late ? { ...event, at: this.#latest } : event);
    if (this.#isOpen && this.#events.length === 1) this.#whenFirst();
  }

  take(): readonly Event[] {
    return this.#events.splice(0);
  }
}
