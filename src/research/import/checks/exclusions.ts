// Counts the messages that are excluded from a tape, by reason.
import type { Stamp } from '../../../embedded/rows/rows.ts';

export interface Exclusion {
  /** The kind of message. */
  readonly what: string;
  readonly reason: string;
  readonly count: number;
  /** Exchange time of the first such message. */
  readonly first: Stamp;
  /** For trades, price and size: `28722.50 × 0.001`. */
  readonly example?: string | undefined;
}

export interface Exclusions {
  add(one: Omit<Exclusion, 'count'>): void;
  list(): readonly Exclusion[];
}

export function createExclusions(): Exclusions {
  const known = new Map<string, Exclusion>();
  return {
    add(one) {
      const key = `${one.what}: ${one.reason}`;
      const before = known.get(key);
      known.set(key, { ...(before ?? one), count: (before?.count ?? 0) + 1 });
    },
    list: () => [...known.values()],
  };
}
