// Whether two turns want the same.
import type { Level } from '../domain/book.ts';
import type { Intent } from '../domain/intent.ts';

export const sameIntents = (some: readonly Intent[], others: readonly Intent[]): boolean => sameLists(some, others, sameIntent);

function sameIntent(one: Intent, other: Intent): boolean {
  if (one.market !== other.market) return false;
  if (one.kind === 'target') return other.kind === 'target' && one.position === other.position && one.limit === other.limit;
  return (
    other.kind === 'quote' &&
    one.slack === other.slack &&
    one.fillMode === other.fillMode &&
    sameLists(one.bids, other.bids, sameLevel) &&
    sameLists(one.asks, other.asks, sameLevel)
  );
}

const sameLevel = (one: Level, other: Level): boolean => one.price === other.price && one.size === other.size;

const sameLists = <T>(some: readonly T[], others: readonly T[], same: (one: T, other: T) => boolean): boolean =>
  some.length === others.length && some.every((one, index) => same(one, others[index] as T));
