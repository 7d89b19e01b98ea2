// Compares two lists of intents, with a tolerance for prices and sizes.
import type { Intent } from '../../../bot/domain/intent.ts';

/** As a fraction of the larger price. Prices may follow averages, which start again in a new instance. */
const PRICE_TOLERANCE = 0.001;
/** The usual dead band of a target. */
const SIZE_TOLERANCE = 0.01;
const SIZES: ReadonlySet<string> = new Set(['size', 'position']);

/** Returns the first difference as text; undefined if there is none. */
export function differenceOf(some: readonly Intent[], others: readonly Intent[]): string | undefined {
  return differing(normal(some), normal(others), 'intents');
}

/** Removes intents without orders, which are equal to no intent. */
const normal = (intents: readonly Intent[]): readonly Intent[] =>
  intents.filter((intent) => intent.kind !== 'quote' || intent.bids.length + intent.asks.length > 0).sort((a, b) => a.market - b.market);

function differing(one: unknown, other: unknown, name: string): string | undefined {
  if (typeof one === 'number' && typeof other === 'number') return isNear(one, other, name) ? undefined : `${name} ${one} and ${other}`;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return `${name}: ${one.length} and ${other.length}`;
  if (!isObject(one) || !isObject(other)) return one === other ? undefined : `${name} ${String(one)} and ${String(other)}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = differing(one[key], other[key], Array.isArray(one) ? name : key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True within the tolerance, or within one tick or lot. */
const isNear = (one: number, other: number, name: string): boolean =>
  Math.abs(one - other) <= Math.max(1, (SIZES.has(name) ? SIZE_TOLERANCE : PRICE_TOLERANCE) * Math.max(Math.abs(one), Math.abs(other)));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
