// The modes of a bot: which actions are still allowed. Each mode allows less than the one before it.

/**
 * `active`: trade. `close-only`: cancel, and place orders that can only reduce a position. `cancel-all`: cancel until nothing rests. `flatten`: the
 * same, then close every position. `halted`: send nothing at all. A run makes its mode stricter by itself; only a person lowers it.
 */
export const MODES = ['active', 'close-only', 'cancel-all', 'flatten', 'halted'] as const;
export type Mode = (typeof MODES)[number];

export const isStricter = (mode: Mode, than: Mode): boolean => MODES.indexOf(mode) > MODES.indexOf(than);
