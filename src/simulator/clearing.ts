// What an execution does to the two who traded: base, money and fees change hands, and nothing is made or lost on the way.
import { type Lots, lots, type Micros, micros } from '../domain/numbers.ts';
import { type Side, signOf } from '../domain/side.ts';
import { type Account, type Holding, holdingIn, unsettledFunding } from './account.ts';
import { type House, pay } from './house.ts';
import { QUOTE } from './listing.ts';
import type { Pit } from './pit.ts';
import { traded } from './position.ts';

export interface Leg {
  readonly side: Side;
  readonly size: Lots;
  /** Positive. */
  readonly notional: Micros;
}

/** One account's half of an execution, without its fee. */
export function clear(house: House, account: Account, pit: Pit, { side, size, notional }: Leg): void {
  const sign = signOf(side);
  const holding = holdingIn(account, pit);
  holding.action = house.actions;
  if (pit.market.spec.kind === 'spot') {
    account.balances[pit.market.spec.baseTokenId]! += sign * size;
    account.balances[QUOTE]! -= sign * notional;
    return;
  }
  settleFunding(house, account, holding);
  const { position, realised } = traded(holding.position, { size: lots(sign * size), cost: micros(sign * notional) });
  pit.openInterest = lots(pit.openInterest + Math.max(0, position.size) - Math.max(0, holding.position.size));
  holding.position = position;
  account.balances[QUOTE]! += realised;
}

/** Moves funding into the balance, as every change of a position must first: it is owed on the size so far. */
function settleFunding(house: House, account: Account, holding: Holding): void {
  pay(house.fundingPool, account, unsettledFunding(holding));
  holding.fundingIndex = holding.pit.funding.index;
}
