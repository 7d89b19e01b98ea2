// The exchange's refusals in words: its own name first, then the meaning.
import type { Refusal, Refused as RefusedByExchange } from '../../../embedded/commands.ts';
import { Refused } from '../../reply.ts';

const MEANINGS: Readonly<Record<Refusal, string>> = {
  ACCOUNT_NOT_FOUND: 'there is no such account',
  MARKET_NOT_FOUND: 'there is no such market',
  MARKET_FROZEN: 'the market is frozen; only cancels pass',
  ORDER_NOT_FOUND: 'no such order is open',
  POSITION_NOT_FOUND: 'there is no position that this could reduce',
  POSITION_SIZE_LIMIT: 'the position could become larger than the market allows',
  TOO_MANY_OPEN_ORDERS: 'the account has as many open orders as it may',
  ORDER_SIZE_ZERO: 'the size is zero',
  ORDER_EXECUTION_MISSING_PRICE: 'an order that may rest must have a price',
  ORDER_EXECUTION_LIMIT_PRICE: 'the price is too far from the index price',
  ORDER_EXECUTION_SIZE_LIMIT: 'the size is larger than the market allows',
  ORDER_EXECUTION_FILL_OR_KILL: 'it could not be filled whole',
  POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS: 'it would have traded at once, and is post-only',
  IMMEDIATE_ORDER_GOT_NO_FILLS: 'nothing in the book could fill it, and it may not rest',
  INSUFFICIENT_FUNDS: 'the balance or the margin does not cover it',
  RISK_TRADE_OMF_LESS_THAN_OR_EQUAL_CMF: 'the margin left after it would be too little',
};

/** 404 if the thing itself is missing, else 400. */
export const refusal = (error: Refusal): Refused =>
  new Refused(error.endsWith('_NOT_FOUND') ? 404 : 400, { message: `${error}: ${MEANINGS[error]}` });

/** Returns an accepted outcome; throws `Refused` for a refused one. */
export function accepted<Outcome extends { readonly kind: 'accepted' }>(outcome: Outcome | RefusedByExchange): Outcome {
  if (outcome.kind === 'refused') throw refusal(outcome.error);
  return outcome;
}
