// Liquidates an account whose margins are too low: cancels its orders, closes its positions in the book, or hands it to the backstop.
import type { Margins } from '../../../bot/domain/account.ts';
import { opposite, type Side } from '../../../bot/domain/book.ts';
import { mustCancel, mustLiquidate } from '../../../bot/domain/margin.ts';
import { type Lots, lots, micros, type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import type { ExchangeAccount, Holding } from '../state/account.ts';
import { type ExchangeState, nextAction, pay } from '../state/exchange-state.ts';
import { QUOTE } from '../state/listing.ts';
import { isMaintained, marginsNow, tokenCollateral } from './account-margins.ts';
import { bookLeg } from './clearing.ts';
import { execute, removeAllResting } from './execution.ts';

/** The part of every position that a liquidation closes in the book per step. */
const PART = 1 / 5;
/** Below this part of its maintenance margin an account is taken over completely. */
const TERMINAL = 1 / 2;
/** The number of takes that are kept. */
const KEPT = 1_000;

/** Checks one account and liquidates it as its margins require. Must be called each step for every account with a holding. */
export function checkMargins(state: ExchangeState, account: ExchangeAccount): void {
  if (account.orders.size === 0 && isMaintained(state, account)) return;
  const margins = marginsNow(state, account);
  const isTerminal = margins.mf < margins.mmf * TERMINAL;
  if (mustCancel(margins) || isTerminal) removeAllResting(state, account);
  if (isTerminal) takeAll(state, account, margins);
  else if (mustLiquidate(margins)) for (const holding of account.holdings.values()) reduce(state, account, holding);
}

/** Closes a part of a position in the book, if a price allows it that leaves the account solvent. */
function reduce(state: ExchangeState, account: ExchangeAccount, { marketState, position }: Holding): void {
  const margins = marginsNow(state, account);
  if (!mustLiquidate(margins) || position.size === 0 || marketState.frozen) return;
  const order = {
    side: closingSide(position.size),
    fillMode: 'IMMEDIATE_OR_CANCEL',
    price: bankruptcyPrice(marketState.prices.index, position.size, margins),
    size: lots(Math.ceil(Math.abs(position.size) * PART)),
  } as const;
  const refusal = marketState.book.plan(order.side, order.fillMode, order.size, order.price);
  if (refusal === undefined) execute(state, account, marketState, { ...order, origin: 'liquidation' });
}

/** The backstop takes tokens at their collateral value, positions at their bankruptcy price, and the remaining debt. */
function takeAll(state: ExchangeState, account: ExchangeAccount, margins: Margins): void {
  nextAction(state);
  for (const token of state.pricedBy.keys()) {
    const amount = account.balances[token]!;
    pay(state.backstop, account, tokenCollateral(state, token, amount));
    account.balances[token]! -= amount;
    state.backstop.balances[token]! += amount;
  }
  for (const holding of account.holdings.values()) if (holding.position.size !== 0) takePosition(state, account, holding, margins);
  if (account.balances[QUOTE]! < 0) pay(state.backstop, account, micros(-account.balances[QUOTE]!));
}

function takePosition(state: ExchangeState, account: ExchangeAccount, { marketState, position }: Holding, margins: Margins): void {
  const price = bankruptcyPrice(marketState.prices.index, position.size, margins);
  const size = lots(Math.abs(position.size));
  const notional = marketState.market.notional(price, size);
  const side = closingSide(position.size);
  bookLeg(state, account, marketState, { side, size, notional });
  bookLeg(state, state.backstop, marketState, { side: opposite(side), size, notional });
  if (state.takes.length === KEPT) state.takes.shift();
  state.takes.push({
    time: state.now,
    actionId: String(state.actions),
    takerAccountId: state.backstop.id,
    takerSide: opposite(side),
    marketId: marketState.market.id,
    settlementPrice: price,
    baseSize: size,
    makerAccountId: account.id,
    bankruptcyPrice: price,
  });
}

const closingSide = (position: Lots): Side => (position > 0 ? 'ask' : 'bid');

/**
 * Returns the price at which closing every position would leave the account with nothing: each index moved by the same fraction mf / pn, down for
 * long positions and up for short ones; then to the tick that is better for the account.
 */
function bankruptcyPrice(index: Ticks, position: Lots, { mf, pn }: Margins): Ticks {
  const price = position > 0 ? Math.ceil(index * (1 - mf / pn)) : Math.floor(index * (1 + mf / pn));
  return ticks(Math.max(1, price));
}
