// Executes cancels and orders together or not at all, after a rehearsal on copies of the account and of the books' levels.
import { assert } from '../../../base/errors.ts';
import { lots } from '../../../bot/domain/numbers.ts';
import { canRest } from '../../../bot/domain/order.ts';
import type { AtomicOutcome, AtomicRequest, Cancelled, CompoundRefusal, LimitedOrder, Placed } from '../commands.ts';
import type { ExchangeAccount } from '../state/account.ts';
import { type ExchangeState, nextAction } from '../state/exchange-state.ts';
import { Rehearsal } from './atomic-rehearsal.ts';
import { limitedToPosition } from './execution.ts';
import { sizeWithin } from './order-limits.ts';
import { cancel, executePlanned, plan, refused } from './placing.ts';

/** In one market cancels come first, then orders that trade at once, then orders that may rest. */
const RANK = { cancel: 0, trade: 1, place: 2 } as const;

/** Executes the parts as one action. If one of them would be refused, executes none and returns its refusal. */
export function atomic(state: ExchangeState, request: AtomicRequest): AtomicOutcome {
  const account = state.accounts[request.account];
  if (account === undefined) return refused(state, 'ACCOUNT_NOT_FOUND');
  const refusal = outOfOrder(account, request) ?? rehearse(state, account, request);
  if (refusal !== undefined) return refused(state, refusal);
  nextAction(state);
  state.inAtomic = true;
  const results = request.parts.map((part) =>
    'cancel' in part ? cancelPart(state, account, part.cancel) : placePart(state, account, part.order),
  );
  state.inAtomic = false;
  return { kind: 'accepted', actionId: String(state.actions), results };
}

/** Returns the refusal if the parts of a market are not in the order of RANK. */
function outOfOrder(account: ExchangeAccount, { parts }: AtomicRequest): CompoundRefusal | undefined {
  const ranks = new Map<number, number>();
  for (const part of parts) {
    const market = 'cancel' in part ? account.orders.get(part.cancel)?.market : part.order.market;
    if (market === undefined) return 'ORDER_NOT_FOUND';
    const rank = rankOf(part);
    if (rank < (ranks.get(market) ?? 0))
      return rank === RANK.cancel ? 'ATOMICS_CANCELS_CANNOT_FOLLOW_TRADES_PLACES' : 'ATOMICS_TRADES_CANNOT_FOLLOW_PLACES';
    ranks.set(market, rank);
  }
  return undefined;
}

function rankOf(part: AtomicRequest['parts'][number]): number {
  if ('cancel' in part) return RANK.cancel;
  return canRest(part.order.fillMode) ? RANK.place : RANK.trade;
}

function rehearse(state: ExchangeState, account: ExchangeAccount, { parts }: AtomicRequest): CompoundRefusal | undefined {
  const rehearsal = new Rehearsal(state, account);
  for (const part of parts) {
    const refusal = 'cancel' in part ? rehearsal.cancel(part.cancel) : rehearsal.place(part.order);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function cancelPart(state: ExchangeState, { id }: ExchangeAccount, orderId: string): Cancelled {
  const outcome = cancel(state, { account: id, orderId });
  assert(outcome.kind === 'accepted', 'a rehearsed cancel is refused');
  return outcome;
}

/** The margins were checked in the rehearsal; the book gives the same fills again. */
function placePart(state: ExchangeState, account: ExchangeAccount, limited: LimitedOrder): Placed {
  const marketState = state.marketStates[limited.market]!;
  const size = sizeWithin(marketState, limited);
  assert(typeof size !== 'string', 'a rehearsed order has no size');
  const wanted = { ...limited, size: lots(size) };
  const order = limited.reduceOnly === true ? limitedToPosition(account, marketState, wanted) : wanted;
  assert(order !== undefined && plan(account, marketState, order) === undefined, 'a rehearsed order is refused');
  return executePlanned(state, account, marketState, order);
}
