// Checks margins between the current price and an extreme of a candle: orders are cancelled and positions liquidated at the price at which each is due,
// not at the extreme.
import { mustCancel, mustLiquidate } from '../../../bot/domain/margin.ts';
import { type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import type { ExchangeAccount } from '../state/account.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import type { MarketState } from '../state/market-state.ts';
import { isMaintained, marginsNow } from './account-margins.ts';
import { checkMargins } from './liquidation.ts';

export interface PriceRange {
  readonly low: Ticks;
  readonly high: Ticks;
}

interface RangeToJudge extends PriceRange {
  /** Moves the quotes, the mark and the index of the market to a price. */
  readonly show: (price: Ticks) => void;
}

/** A liquidation closes a fifth of a position each time, so the rest after so many is less than a lot. */
const MAX_STEPS = 200;

/**
 * Moves the price to where margins fail, for each account with a position in the market, towards the extreme that is worse for it. Other markets keep
 * their prices. The price at which an account fails is found by bisection, because its margins only fall in that direction. Returns true if a price
 * was shown.
 */
export function judgeRange(state: ExchangeState, marketState: MarketState, { low, high, show }: RangeToJudge): boolean {
  let wasShown = false;
  for (const account of state.accounts) {
    if (account.isOtherTrader) continue;
    const size = account.holdings.get(marketState.market.id)?.position.size ?? 0;
    if (size !== 0 && judgeAccount(state, account, { marketState, to: size > 0 ? low : high, show })) wasShown = true;
  }
  return wasShown;
}

/** True if an account that holds a position in the market would fail at the worse end of the range. */
export function failsWithin(state: ExchangeState, marketState: MarketState, { low, high }: PriceRange): boolean {
  const { id } = marketState.market;
  for (const account of state.accounts) {
    if (account.isOtherTrader) continue;
    const size = account.holdings.get(id)?.position.size ?? 0;
    if (size !== 0 && failsAt(state, account, marketState, size > 0 ? low : high)) return true;
  }
  return false;
}

interface Way {
  readonly marketState: MarketState;
  /** The worse extreme for the account. */
  readonly to: Ticks;
  readonly show: RangeToJudge['show'];
}

/** Shows each price at which the account fails, and applies the rules there, until it does not fail at the extreme. Returns true if a price was shown. */
function judgeAccount(state: ExchangeState, account: ExchangeAccount, way: Way): boolean {
  const { marketState, to, show } = way;
  let from = marketState.prices.index;
  let step = 0;
  for (; step < MAX_STEPS && failsAt(state, account, marketState, to); step++) {
    const price = firstFailure(state, account, { ...way, from });
    show(price);
    const before = state.actions;
    checkMargins(state, account);
    const isIdle = state.actions === before;
    if (isIdle && price === to) return true;
    from = isIdle ? to : price; // a position that cannot be closed at the price where it is due is judged again at the extreme
  }
  return step > 0;
}

/** Returns the price nearest to `from` at which the account fails; `to` is one. */
function firstFailure(state: ExchangeState, account: ExchangeAccount, { marketState, from, to }: Way & { readonly from: Ticks }): Ticks {
  let [good, bad]: [number, number] = [from, to];
  if (failsAt(state, account, marketState, from)) return from;
  while (Math.abs(bad - good) > 1) {
    const middle = ticks(Math.trunc((good + bad) / 2));
    if (failsAt(state, account, marketState, middle)) bad = middle;
    else good = middle;
  }
  return ticks(bad);
}

/** True if orders of the account must be cancelled, or its positions liquidated, at an index price. */
function failsAt(state: ExchangeState, account: ExchangeAccount, { prices }: MarketState, price: Ticks): boolean {
  const { index } = prices;
  prices.applyOracle({ index: price });
  const isSound = account.orders.size === 0 && isMaintained(state, account);
  const margins = isSound ? undefined : marginsNow(state, account);
  prices.applyOracle({ index });
  return margins !== undefined && ((account.orders.size > 0 && mustCancel(margins)) || mustLiquidate(margins));
}
