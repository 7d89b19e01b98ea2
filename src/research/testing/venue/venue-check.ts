// One check of an adapter: its name, the loss that it prevents, what the exchange must have, and how it is made.
import type { VenueSubject } from './bench.ts';
import type { VenueCapability } from './result.ts';

export interface VenueCheck {
  /** From 1; it never changes its meaning. */
  readonly number: number;
  readonly name: string;
  /** The loss, as the end of "without it …". */
  readonly prevents: string;
  /** What the exchange must have; always made if absent. */
  readonly needs?: readonly VenueCapability[] | undefined;
  /** Resolves with what was found to be right, in one line. Rejects with a `Mistake`, or with an error of the adapter. */
  run(this: void, subject: VenueSubject): Promise<string>;
}
