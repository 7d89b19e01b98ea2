// Maps the exchange's error names to meanings: the API document and the real exchange use several names for one condition.
// It lies in bot because the gateway in kit/sending reads the meanings too, and bot may not import from venues.

export type ErrorMeaning =
  | 'funds'
  | 'signature'
  | 'session'
  | 'orderNotFound'
  | 'time'
  | 'duplicate'
  | 'wouldCross'
  | 'noFill'
  | 'market'
  | 'other';

/** Returns the one meaning of a receipt's error name; `other` for a name on which no decision here depends, `UNKNOWN_<number>` among them. */
export function meaningOf(error: string): ErrorMeaning {
  return MEANINGS.find(([, names]) => names.test(error))?.[0] ?? 'other';
}

/** True if an error name, or an error text of the local process, means that the market accepts no orders now. */
export const saysFrozen = (error: string): boolean => FROZEN.test(error);

const FROZEN =
  /\b(MARKET_FROZEN|MARKET_NOT_READY|MAINTENANCE)\b|\bmarket (is )?(frozen|not ready|paused|disabled|not enabled)\b|^only post-only orders allowed/i;

/** Returns the names of the same condition, the given one first: for a schema that has another name for it. */
export function spellingsOf(error: string): readonly string[] {
  const others = SPELLINGS.find((names) => names.includes(error)) ?? [];
  return [error, ...others.filter((name) => name !== error)];
}

const MEANINGS: readonly (readonly [ErrorMeaning, RegExp])[] = [
  ['funds', /^(INSUFFICIENT_FUNDS|BALANCE_INSUFFICIENT|RISK(_\w+)?)$/],
  ['signature', /^(INVALID_SIGNATURE|SIGNATURE_VERIFICATION(_\w+)?)$/],
  ['session', /^SESSION_NOT_FOUND$/],
  ['orderNotFound', /^ORDER_NOT_FOUND$/],
  ['time', /^TIMESTAMP(_\w+)?$/],
  ['duplicate', /^DUPLICATE$/],
  ['wouldCross', /^POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS$/],
  ['noFill', /^(IMMEDIATE_ORDER_GOT_NO_FILLS|FAILED_TO_FILL_LIMIT|ORDER_EXECUTION_(EMPTY|FILL_OR_KILL))$/],
  ['market', /^(MARKET_(NOT_FOUND|NOT_READY|FROZEN|EMPTY)|MAINTENANCE)$/],
];

const SPELLINGS: readonly (readonly string[])[] = [
  ['INSUFFICIENT_FUNDS', 'BALANCE_INSUFFICIENT'],
  ['INVALID_SIGNATURE', 'SIGNATURE_VERIFICATION'],
];
