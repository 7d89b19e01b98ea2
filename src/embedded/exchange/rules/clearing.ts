// Books an execution in both accounts: base tokens, money and fees change owners; the totals stay the same.

import { type Side, signOf } from '../../../bot/domain/book.ts';
import { type Lots, lots, type Micros, micros } from '../../../bot/domain/numbers.ts';
import { type ExchangeAccount, type Holding, holdingIn, unsettledFunding } from '../state/account.ts';
import { type ExchangeState, pay } from '../state/exchange-state.ts';
import { QUOTE } from '../state/listing.ts';
import type { MarketState } from '../state/market-state.ts';
import { afterTrade } from '../state/position.ts';

export interface Leg {
  readonly side: Side;
  readonly size: Lots;
  /** Positive. */
  readonly notional: Micros;
}

/** Books one account's side of an execution, without its fee. */
export function bookLeg(state: ExchangeState, account: ExchangeAccount, marketState: MarketState, { side, size, notional }: Leg): void {
  const sign = signOf(side);
  const holding = holdingIn(account, marketState);
  holding.action = state.actions;
  if (marketState.market.spec.kind === 'spot') {
    account.balances[marketState.market.spec.baseTokenId]! += sign * size;
    account.balances[QUOTE]! -= sign * notional;
    return;
  }
  const funding = settleFunding(state, account, holding);
  const { position, realised } = afterTrade(holding.position, { size: lots(sign * size), cost: micros(sign * notional) });
  marketState.openInterest = lots(marketState.openInterest + Math.max(0, position.size) - Math.max(0, holding.position.size));
  holding.position = position;
  account.balances[QUOTE]! += realised;
  if (!account.isOtherTrader) account.pnl.add({ time: state.now, action: state.actions, price: realised, funding });
}

/** Moves owed funding into the balance, before a position changes: it is owed on the size so far. Returns it; positive if earned. */
function settleFunding(state: ExchangeState, account: ExchangeAccount, holding: Holding): Micros {
  const earned = unsettledFunding(holding);
  pay(state.fundingPool, account, earned);
  holding.fundingIndex = holding.marketState.funding.index;
  return earned;
}
