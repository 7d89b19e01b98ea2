// What becomes of an account whose margins no longer carry it: its orders are cancelled, its positions sold off in the book, or it is taken over.
import type { Margins } from '../domain/account.ts';
import { mustCancel, mustLiquidate } from '../domain/margin.ts';
import { type Lots, lots, micros, type Ticks, ticks } from '../domain/numbers.ts';
import { opposite, type Side } from '../domain/side.ts';
import type { Account, Holding } from './account.ts';
import { clear } from './clearing.ts';
import { execute, takeOutAll } from './execution.ts';
import { type House, nextAction, pay } from './house.ts';
import { QUOTE } from './listing.ts';
import { marginsNow, tokenCollateral } from './standing.ts';

/** In each step a liquidation offers this part of every position to the book. */
const PART = 1 / 5;
/** Below this part of its maintenance margin an account is taken over whole. */
const TERMINAL = 1 / 2;
/** Takes that are remembered. */
const KEPT = 1_000;

/** Looks at one account, and does what its margins demand. To be called each step for every account with anything at stake. */
export function supervise(house: House, account: Account): void {
  const margins = marginsNow(house, account);
  const isTerminal = margins.mf < margins.mmf * TERMINAL;
  if (mustCancel(margins) || isTerminal) takeOutAll(house, account);
  if (isTerminal) takeAll(house, account, margins);
  else if (mustLiquidate(margins)) for (const holding of account.holdings.values()) reduce(house, account, holding);
}

/** Closes a part of a position in the book, at a price that leaves the account solvent or not at all. */
function reduce(house: House, account: Account, { pit, position }: Holding): void {
  const margins = marginsNow(house, account);
  if (!mustLiquidate(margins) || position.size === 0 || pit.frozen) return;
  const order = {
    side: closingSide(position.size),
    fillMode: 'IMMEDIATE_OR_CANCEL',
    price: bankruptcyPrice(pit.prices.index, position.size, margins),
    size: lots(Math.ceil(Math.abs(position.size) * PART)),
  } as const;
  const refusal = pit.book.plan(order.side, order.fillMode, order.size, order.price);
  if (refusal === undefined) execute(house, account, pit, { ...order, origin: 'liquidation' });
}

/** The backstop takes tokens at what they count for, positions at their bankruptcy price, and the debt that is left. */
function takeAll(house: House, account: Account, margins: Margins): void {
  nextAction(house);
  for (const token of house.pricedBy.keys()) {
    const amount = account.balances[token]!;
    pay(house.backstop, account, tokenCollateral(house, token, amount));
    account.balances[token]! -= amount;
    house.backstop.balances[token]! += amount;
  }
  for (const holding of account.holdings.values()) if (holding.position.size !== 0) takePosition(house, account, holding, margins);
  if (account.balances[QUOTE]! < 0) pay(house.backstop, account, micros(-account.balances[QUOTE]!));
}

function takePosition(house: House, account: Account, { pit, position }: Holding, margins: Margins): void {
  const price = bankruptcyPrice(pit.prices.index, position.size, margins);
  const size = lots(Math.abs(position.size));
  const notional = pit.market.notional(price, size);
  const side = closingSide(position.size);
  clear(house, account, pit, { side, size, notional });
  clear(house, house.backstop, pit, { side: opposite(side), size, notional });
  if (house.takes.length === KEPT) house.takes.shift();
  house.takes.push({
    time: house.now,
    actionId: String(house.actions),
    takerAccountId: house.backstop.id,
    takerSide: opposite(side),
    marketId: pit.market.id,
    settlementPrice: price,
    baseSize: size,
    makerAccountId: account.id,
    bankruptcyPrice: price,
  });
}

const closingSide = (position: Lots): Side => (position > 0 ? 'ask' : 'bid');

/**
 * The price at which closing every position would leave the account with nothing: each index moved by the same fraction mf / pn, down for what is
 * held long and up for what is held short; then to the tick that is better for the account.
 */
function bankruptcyPrice(index: Ticks, position: Lots, { mf, pn }: Margins): Ticks {
  const price = position > 0 ? Math.ceil(index * (1 - mf / pn)) : Math.floor(index * (1 + mf / pn));
  return ticks(Math.max(1, price));
}
