// Counts messages that are not imported, by reason.
import type { Stamp } from '../../../domain/rows/rows.ts';

export interface LeftOut {
  readonly what: string;
  readonly reason: string;
  readonly count: number;
  readonly first: Stamp;
  /** For trades, price and size: `28722.50 × 0.001`. */
  readonly example?: string | undefined;
}

export interface LeftOuts {
  add(one: Omit<LeftOut, 'count'>): void;
  list(): readonly LeftOut[];
}

export function createLeftOuts(): LeftOuts {
  const known = new Map<string, LeftOut>();
  return {
    add(one) {
      const key = `${one.what}: ${one.reason}`;
      const before = known.get(key);
      known.set(key, { ...(before ?? one), count: (before?.count ?? 0) + 1 });
    },
    list: () => [...known.values()],
  };
}
