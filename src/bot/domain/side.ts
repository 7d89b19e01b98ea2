// The two sides of a book. `bid` buys, `ask` sells.

/** Of an order: `bid` buys, `ask` sells. */
export type Side = 'bid' | 'ask';

export const SIDES = ['bid', 'ask'] as const;
export const opposite = (side: Side): Side => (side === 'bid' ? 'ask' : 'bid');
/** +1 if a fill of that side adds to the position, -1 if it reduces it. */
export const signOf = (side: Side): 1 | -1 => (side === 'bid' ? 1 : -1);
/** True if an order of `side` at `price` would trade with one resting on the opposite side at `other`. */
export const crosses = (side: Side, price: number, other: number): boolean => (side === 'bid' ? price >= other : price <= other);
